package tools

// Page is the shared input of lists that can be read in parts.
type Page struct {
	Limit  int `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"At most this many items"`
	Offset int `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_description:"Skip this many items"`
}

// Cursor is the shared input of lists that continue where the last page ended.
type Cursor struct {
	Cursor string `json:"cursor,omitempty" jsonschema_description:"Continue after the page that returned this cursor"`
}

// Sorting is the shared input of lists with a choice of order.
type Sorting struct {
	SortBy    string `json:"sortBy,omitempty" jsonschema_description:"Field to sort by"`
	SortOrder string `json:"sortOrder,omitempty" jsonschema:"enum=asc,enum=desc" jsonschema_description:"asc or desc"`
}

// DateRange is the shared input of queries over time: from inclusive, to
// exclusive, ISO 8601.
type DateRange struct {
	From string `json:"from,omitempty" jsonschema:"format=date-time" jsonschema_description:"Start, inclusive, ISO 8601"`
	To   string `json:"to,omitempty" jsonschema:"format=date-time" jsonschema_description:"End, exclusive, ISO 8601"`
}
