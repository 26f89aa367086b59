package view

import (
	"context"
	"errors"

	"toolkit/tools"
	"toolkit/tools/entities"
)

// maxPage is more pages than are read of a file.
const maxPage = 500

// readFilePage returns a page of the file that a record is made of.
func (s *Server) readFilePage(ctx context.Context, q *query) (any, error) {
	record := q.readRequiredText("id")
	page, line := int(q.readNumber("page", 1, 1, maxPage)), int(q.readNumber("line", 1, 1, 1<<31))
	if q.fault != nil {
		return nil, q.fault
	}
	shown, err := entities.ReadFilePage(ctx, s.o.Store, s.o.Files, record, page, line)
	var refused *tools.Error
	if errors.As(err, &refused) {
		return nil, convertToolError(refused)
	}
	shown.Lines = tools.OrEmpty(shown.Lines)
	return shown, err
}
