package cli

import (
	"context"
	"log/slog"
	"net"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/tools/integrations/telemetry"
)

func newMetrics(o *settings) *cobra.Command {
	return newCommand("metrics", checkNoArguments, func(cmd *cobra.Command, _ []string) error {
		return o.withExistingDatabase(cmd.Context(), func(a *app.App) error { return a.Recorder.Expose(cmd.Context(), o.streams.Out) })
	})
}

// metricsServer is where the server offers its metrics over HTTP.
type metricsServer struct {
	address string // "": nowhere
	exposed bool   // other machines may read along
}

func (m *metricsServer) checkAddress(o *settings) error {
	if m.address == "" {
		return nil
	}
	if err := telemetry.CheckListenAddress(m.address, m.exposed); err != nil {
		return o.newSettingError("TOOLKIT_METRICS_ADDR", "%v (--metrics-expose)", err)
	}
	return nil
}

// start serves until the context ends. A port that is taken, perhaps by the
// toolkit of another assistant, is no reason not to serve this one.
func (m *metricsServer) start(ctx context.Context, r telemetry.Recorders, logger *slog.Logger) {
	if m.address == "" {
		return
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", m.address)
	if err != nil {
		logger.Error("metrics are not served; choose another --metrics-addr", "error", err.Error())
		return
	}
	logger.Info("serving metrics", "address", listener.Addr().String())
	go func() {
		if err := r.Serve(ctx, listener, logger, m.exposed); err != nil {
			logger.Error("metrics are no longer served", "error", err.Error())
		}
	}()
}
