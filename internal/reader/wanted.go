package reader

// step reads one thing that a kind of document may say. Of several steps for one field the first
// that finds a value sets it.
type step func(*extraction)

// wantedFields are the fields of a kind of document, in the order in which they are read: later ones
// may rest on those before.
func wantedFields(kind string) []step {
	switch kind {
	case KindInvoice:
		return invoiceFields()
	case KindCreditNote:
		return append(invoiceFields(), fieldOf("credited_invoice", (*form).identifierText, labelCredited), (*extraction).dropAmbiguousCreditSums, (*extraction).credit)
	case KindReceipt:
		return []step{
			(*extraction).orderByMoney,
			fieldOf("receipt_number", (*form).identifierText, labelReceiptNumber, labelTransactionID, labelInvoiceNumber, labelOrderNumber),
			fieldOf("date", (*form).dateText, labelDate, labelPurchaseDate, labelInvoiceDate),
			(*extraction).onlyDate,
			fieldOf("order_number", (*form).identifierText, labelOrderNumber),
			partyOf("vendor_name", labelVendor),
			partyOf("customer_name", labelCustomer),
			func(result *extraction) { result.slip = result.form.slip() },
			(*extraction).sums,
			(*extraction).lineItems,
			(*extraction).paymentMethod,
			senderOf("vendor_name"),
			(*extraction).slipFields,
		}
	case KindStatement:
		return []step{
			fieldOf("account_number", (*form).identifierText, labelAccountNumber),
			partyOf("account_holder", labelHolder),
			partyOf("institution", labelInstitution),
			(*extraction).bank,
			senderOf("institution"),
			(*extraction).holder,
			(*extraction).period,
			fieldOf("date", (*form).dateText, labelDate, labelAsOf),
			(*extraction).balances,
		}
	case KindContract, KindTaxForm, KindPayslip, KindHolding:
		return []step{func(result *extraction) { result.content.warn(unreadFields) }}
	}
	return []step{(*extraction).note, fieldOf("date", (*form).dateText, labelDate, labelPurchaseDate)}
}

func invoiceFields() []step {
	return []step{
		fieldOf("invoice_number", (*form).identifierText, labelInvoiceNumber),
		fieldOf("date", (*form).dateText, labelInvoiceDate, labelTaxPoint),
		(*extraction).dateBehindNumber,
		fieldOf("date", (*form).dateText, labelDate),
		(*extraction).loneDate,
		(*extraction).numberBesideTitle,
		fieldOf("due_date", (*form).dateText, labelDueDate),
		(*extraction).spokenDue,
		(*extraction).termDue,
		fieldOf("delivery_date", (*form).dateText, labelDelivery),
		(*extraction).labelledPeriod,
		partyOf("vendor_name", labelVendor),
		partyOf("customer_name", labelCustomer),
		fieldOf("order_number", (*form).identifierText, labelOrderNumber),
		fieldOf("customer_number", (*form).identifierText, labelCustomerNumber),
		(*extraction).sums,
		(*extraction).lineItems,
		senderOf("vendor_name"),
		func(result *extraction) { result.recipient("customer_name", "vendor_name") },
		(*extraction).taxNumbers,
		(*extraction).account,
	}
}

func fieldOf(key string, textOf valueText, kinds ...labelKind) step {
	return func(result *extraction) { result.field(key, textOf, kinds...) }
}

func partyOf(key string, kind labelKind) step {
	return func(result *extraction) { result.party(key, kind) }
}

func senderOf(key string) step { return func(result *extraction) { result.sender(key) } }
