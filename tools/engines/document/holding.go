package document

// holding reads a list of positions: what is held, how much of it, at what value.
func (result *extraction) holding() {
	read := result.form
	result.identifierField("account_number", labelAccountNumber)
	result.nameField("account_holder", labelHolder)
	result.nameField("institution", labelInstitution)
	result.letterhead("institution")
	result.dateField("date", labelAsOf, labelDate)
	result.onlyDate("date")
	total, known := result.amountField("total_value", labelTotalValue, labelGrandTotal, labelTotal)
	var holdings listed
	for _, grid := range read.grids {
		if !grid.isHoldings() {
			continue
		}
		for _, row := range grid.rows {
			if item := read.position(row); item != nil {
				holdings.add(item, read.source(row.place))
			}
		}
	}
	result.setList("holdings", holdings)
	result.currencyField(total, known)
}

func (found grid) isHoldings() bool {
	return found.has(columnQuantity) && (found.has(columnValue) || (found.has(columnSymbol) && (found.has(columnPrice) || found.has(columnAmount)))) && !found.has(columnDebit)
}

func (read *form) position(row gridRow) map[string]any {
	item := map[string]any{}
	for key, kind := range map[string]string{"symbol": columnSymbol, "name": columnText, "code": columnCode} {
		if text := row.cells[kind]; text != "" {
			item[key] = text
		}
	}
	amount := row.cells[columnValue]
	if amount == "" {
		amount = row.cells[columnAmount]
	}
	for key, text := range map[string]string{"quantity": row.cells[columnQuantity], "price": row.cells[columnPrice], "value": amount, "cost": row.cells[columnCost]} {
		if number, _, ok := read.number(text); ok {
			item[key] = number
		}
	}
	if (item["symbol"] == nil && item["name"] == nil && item["code"] == nil) || (item["quantity"] == nil && item["value"] == nil) {
		return nil
	}
	return item
}
