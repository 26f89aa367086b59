package store

import (
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"toolkit/store/internal/postgres"
)

// postgresFailure is what an error of PostgreSQL means for callers; nil: nothing that
// they know.
func postgresFailure(err error) error {
	if err == nil {
		return nil
	}
	switch code := postgres.Code(err); {
	case code == "55P03" || code == "40001" || code == "40P01" || code == "53300": // locked, collided, no connection left
		return ErrBusy
	case code == "53100":
		return ErrFull
	case code == "25006":
		return ErrReadOnly
	case code == "22021" || code == "22P05" || code == "54000": // NUL, no UTF-8, too long for an index
		return ErrUnfit
	case strings.HasPrefix(code, "XX00"):
		return ErrDamaged
	case strings.HasPrefix(code, "08") || strings.HasPrefix(code, "57P"):
		return ErrUnreachable
	case code != "":
		return nil
	}
	var connecting *pgconn.ConnectError
	var network *net.OpError
	if errors.As(err, &connecting) || errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err) {
		return ErrUnreachable
	}
	return nil
}
