#!/usr/bin/env python3
"""Makes sets for 'toolkit bench documents' of invoices whose data is known: a PDF with its
invoice attached as XML, or with the XML beside it, and invoices that are XML alone. What is
expected of a page are the values of its data that stand in the page's text; what is expected
of data are all of its values. Nothing here is shared with the program that is measured.

    scripts/documents/page_expectations.py FOLDER OUT

writes OUT/pages (read them with --ignore-attachments) and OUT/data, each with the folders
choose (first, third, … by name) and aside (the others). It needs poppler-utils and qpdf.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as xml

CREDIT = {"381", "261", "396", "83", "532"}
SIGNED = ("subtotal", "tax", "amount", "amount_due")


def local(element):
    return element.tag.rpartition("}")[2]


def all_of(element, path):
    """The elements below element, by the names of their elements whatever the namespace."""
    found = [element]
    for name in path.split("/"):
        found = [child for parent in found for child in parent if local(child) == name]
    return found


def text(element, path, where=lambda e: True):
    for found in all_of(element, path):
        if where(found) and (found.text or "").strip():
            return " ".join(found.text.split())
    return None


def number(value):
    return None if value is None else float(value)


def day(value):
    digits = re.sub(r"\D", "", value or "")[:8]
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}" if len(digits) == 8 else None


def only(values):
    return {key: value for key, value in values.items() if value is not None}


def single(element, path):
    """The one value there is: of several dates on which parts are due, none is the due date."""
    found = {" ".join((e.text or "").split()) for e in all_of(element, path)}
    return found.pop() if len(found) == 1 else None


def first(root, *paths):
    return next((value for value in (text(root, path) for path in paths) if value), None)


def cii(root):
    """Cross Industry Invoice, and the first edition of ZUGFeRD, which names the same otherwise."""
    trade = next(e for e in root if local(e) in ("SupplyChainTradeTransaction", "SpecifiedSupplyChainTradeTransaction"))
    head = next(e for e in root if local(e) in ("ExchangedDocument", "HeaderExchangedDocument"))
    part = lambda name: next((e for e in trade if local(e).endswith(name)), xml.Element("none"))
    agreed, delivered, settled = part("HeaderTradeAgreement") if part("HeaderTradeAgreement").tag != "none" else part("SupplyChainTradeAgreement"), part("TradeDelivery"), part("TradeSettlement")
    sums = next((e for e in settled if "MonetarySummation" in local(e)), xml.Element("none"))
    vat = lambda e: e.get("schemeID") == "VA"
    currency = text(settled, "InvoiceCurrencyCode")
    values = {
        "invoice_number": text(head, "ID"), "date": day(text(head, "IssueDateTime/DateTimeString")), "currency": currency,
        "vendor_name": text(agreed, "SellerTradeParty/Name"), "customer_name": text(agreed, "BuyerTradeParty/Name"),
        "vendor_tax_id": text(agreed, "SellerTradeParty/SpecifiedTaxRegistration/ID", vat), "customer_tax_id": text(agreed, "BuyerTradeParty/SpecifiedTaxRegistration/ID", vat),
        "order_number": first(agreed, "BuyerOrderReferencedDocument/IssuerAssignedID", "BuyerOrderReferencedDocument/ID"),
        "delivery_date": day(text(delivered, "ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString")),
        "due_date": day(single(settled, "SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString")),
        "period_start": day(text(settled, "BillingSpecifiedPeriod/StartDateTime/DateTimeString")), "period_end": day(text(settled, "BillingSpecifiedPeriod/EndDateTime/DateTimeString")),
        "iban": text(settled, "SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID"),
        "subtotal": number(text(sums, "TaxBasisTotalAmount")), "amount": number(text(sums, "GrandTotalAmount")),
        "tax": number(text(sums, "TaxTotalAmount", lambda e: e.get("currencyID") in (None, currency))),
        "prepaid": number(text(sums, "TotalPrepaidAmount")), "amount_due": number(text(sums, "DuePayableAmount")),
    }
    lines = []
    for line in (e for e in trade if local(e) == "IncludedSupplyChainTradeLineItem"):
        inner = lambda name: next((e for e in line if local(e).endswith(name)), xml.Element("none"))
        lines.append(only({
            "description": text(line, "SpecifiedTradeProduct/Name"), "more": text(line, "SpecifiedTradeProduct/Description"), "quantity": number(text(inner("TradeDelivery"), "BilledQuantity")),
            "unit_price": number(text(inner("TradeAgreement"), "NetPriceProductTradePrice/ChargeAmount")),
            "tax_rate": number(first(inner("TradeSettlement"), "ApplicableTradeTax/RateApplicablePercent", "ApplicableTradeTax/ApplicablePercent")),
            "amount": number(first(inner("TradeSettlement"), "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount", "SpecifiedTradeSettlementMonetarySummation/LineTotalAmount")),
        }))
    return text(head, "TypeCode"), only(values), [line for line in lines if line.get("amount") is not None]


def ubl(root):
    credit = local(root) == "CreditNote"
    name = lambda party: first(root, f"{party}/Party/PartyLegalEntity/RegistrationName", f"{party}/Party/PartyName/Name")
    def tax_id(party):
        for scheme in all_of(root, f"{party}/Party/PartyTaxScheme"):
            if (text(scheme, "TaxScheme/ID") or "").upper() == "VAT":
                return text(scheme, "CompanyID")
        return None
    currency = text(root, "DocumentCurrencyCode")
    totals = lambda key: number(text(root, f"LegalMonetaryTotal/{key}"))
    values = {
        "invoice_number": text(root, "ID"), "date": day(text(root, "IssueDate")), "currency": currency, "vendor_name": name("AccountingSupplierParty"), "customer_name": name("AccountingCustomerParty"),
        "vendor_tax_id": tax_id("AccountingSupplierParty"), "customer_tax_id": tax_id("AccountingCustomerParty"), "order_number": text(root, "OrderReference/ID"),
        "delivery_date": day(text(root, "Delivery/ActualDeliveryDate")), "due_date": day(first(root, "DueDate", "PaymentMeans/PaymentDueDate")),
        "period_start": day(text(root, "InvoicePeriod/StartDate")), "period_end": day(text(root, "InvoicePeriod/EndDate")), "iban": text(root, "PaymentMeans/PayeeFinancialAccount/ID"),
        "subtotal": totals("TaxExclusiveAmount"), "amount": totals("TaxInclusiveAmount"), "tax": number(text(root, "TaxTotal/TaxAmount", lambda e: e.get("currencyID") == currency)),
        "prepaid": totals("PrepaidAmount"), "amount_due": totals("PayableAmount"),
    }
    quantity = "CreditedQuantity" if credit else "InvoicedQuantity"
    lines = [only({
        "description": text(line, "Item/Name"), "more": text(line, "Item/Description"), "quantity": number(text(line, quantity)), "unit_price": number(text(line, "Price/PriceAmount")),
        "tax_rate": number(text(line, "Item/ClassifiedTaxCategory/Percent")), "amount": number(text(line, "LineExtensionAmount")),
    }) for line in all_of(root, "CreditNoteLine" if credit else "InvoiceLine")]
    return "381" if credit else text(root, "InvoiceTypeCode"), only(values), lines


def invoice(data):
    root = xml.fromstring(data)
    kind, values, lines = ubl(root) if local(root) in ("Invoice", "CreditNote") else cii(root)
    if kind in CREDIT:
        for key in SIGNED:
            if key in values:
                values[key] = -abs(values[key])
        for line in lines:
            line.pop("amount", None)  # the sign of rows is left open
            line.pop("quantity", None)
    # Nothing paid in advance, and no tax, are as well not told.
    for key in ("prepaid", "tax"):
        if values.get(key) == 0:
            del values[key]
    return {"380": "invoice"}.get(kind, "credit_note" if kind in CREDIT else ""), values, lines


def attached(path):
    """The invoice among the streams of a PDF, wherever the file refers to it."""
    with tempfile.NamedTemporaryFile() as plain:
        subprocess.run(["qpdf", "--qdf", "--stream-data=uncompress", "--object-streams=disable", str(path), plain.name], check=False, capture_output=True)
        data = pathlib.Path(plain.name).read_bytes()
    root = re.search(rb"<((?:[\w-]+:)?(?:CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote))[\s>].*?</\1\s*>", data, re.S)
    return root and root.group(0)


def folded(value):
    return "".join(c for c in unicodedata.normalize("NFC", value).casefold() if c.isalnum())


class Page:
    """The text of a PDF, in several orders of reading."""

    def __init__(self, path):
        runs = [subprocess.run(["pdftotext", *option, str(path), "-"], check=True, capture_output=True, text=True).stdout for option in (["-layout"], ["-raw"], [])]
        self.text = "\n".join(runs)
        self.folded = "\n".join(folded(run) for run in runs)

    def has_amount(self, value, places=(2, 0, 1, 3, 4)):
        value = abs(value)
        for digits in places:
            if abs(round(value, digits) - value) > 1e-9:
                continue
            whole, _, part = f"{value:.{digits}f}".partition(".")
            grouped = re.sub(r"(?<=\d)(?=(\d{3})+$)", "[.,'’ \u00a0\u202f]?", whole)
            if re.search(rf"(?<![\d.,]){grouped}" + (rf"[.,]{part}" if part else "") + r"(?![\d]|[.,]\d)", self.text):
                return True
        return False

    def has_date(self, value):
        year, month, day_ = value.split("-")
        months = "januar|january|jan februar|february|feb märz|march|mrz|mar april|apr mai|may juni|june|jun juli|july|jul august|aug september|sep oktober|october|okt|oct november|nov dezember|december|dez|dec".split()
        number_ = lambda n: rf"0?{int(n)}"
        y = rf"(?:{year}|{year[2:]})"
        patterns = [rf"{number_(day_)}[./-] ?{number_(month)}[./-] ?{y}", rf"{year}-{month}-{day_}", rf"{number_(day_)}\.? ?(?:{months[int(month) - 1]})\.?,? {year}", rf"{number_(month)}/{number_(day_)}/{y}", rf"(?:{months[int(month) - 1]}) {number_(day_)},? {year}"]
        return any(re.search(rf"(?<!\d){p}(?!\d)", self.text, re.I) for p in patterns)

    def has(self, key, value):
        if isinstance(value, float):
            return self.has_amount(value, (2,) if key in SIGNED or key in ("prepaid", "discount") else (2, 0, 1, 3, 4))
        if key.endswith("date") or key.startswith("period"):
            return self.has_date(value)
        if key == "currency":
            return value in self.text or {"EUR": "€", "GBP": "£", "USD": "$"}.get(value, value) in self.text
        return folded(value) in self.folded


def page_expectation(kind, values, lines, page):
    printed = {key: value for key, value in values.items() if page.has(key, value)}
    absent = [key for key in ("vendor_name", "customer_name") if key in values and key not in printed
              and not any(len(word) > 3 and folded(word) in page.folded for word in values[key].split())]
    rows = [only({key: value if page.has(key, value) else None for key, value in line.items()}) for line in lines]
    rows = [row for row in rows if "amount" in row]
    for row in rows:
        if "more" in row:  # the page has more of it than its name, and where that ends is a matter of taste
            row.pop("description", None)
    return expectation(kind, printed, rows, len(lines) if rows else 0, absent)


def expectation(kind, fields, rows, count, absent=()):
    rows = [{key: value for key, value in row.items() if key != "more"} for row in rows]
    items = {"line_items": {"count": count, "rows": rows}} if count and rows and "amount" in rows[0] else {}
    return only({"kind": kind or None, "fields": fields, "absent": list(absent), "items": items})


def write(out, group, index, path, expected):
    folder = out / group / ("aside" if index % 2 else "choose")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, folder / path.name)
    (folder / (path.stem + ".expected.json")).write_text(json.dumps(expected, ensure_ascii=False, indent=1))


def main(source, out):
    files = sorted(source.iterdir())
    pdfs = [f for f in files if f.suffix.lower() == ".pdf"]
    data = []
    for index, path in enumerate(pdfs):
        inside = attached(path)
        beside = next((f for f in files if f.suffix == ".xml" and f.name.split(".")[0] == path.stem), None)
        if inside is None and beside is None:
            print(f"{path.name}: no data inside or beside it, left out", file=sys.stderr)
            continue
        known = invoice(inside if inside is not None else beside.read_bytes())
        write(out, "pages", index, path, page_expectation(*known, Page(path)))
        if inside is not None:
            data.append((path, known))
    data += [(f, invoice(f.read_bytes())) for f in files if f.suffix == ".xml"]
    for index, (path, (kind, values, lines)) in enumerate(sorted(data, key=lambda entry: entry[0].name)):
        write(out, "data", index, path, expectation(kind, values, lines, len(lines)))
    print(f"{len(pdfs)} pages, {len(data)} with data")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
