package soaktest

import "context"

// integrationsStep only reads: archives and banks are not part of the load.
func integrationsStep(ctx context.Context, w *Worker) error {
	if w.chance(50) {
		return w.call(ctx, nil, "plaid_list_items", object{})
	}
	return w.call(ctx, nil, "list_provider_catalog", object{})
}
