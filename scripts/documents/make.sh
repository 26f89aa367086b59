#!/bin/sh
# Prints the documents of internal/reader/testdata/makes again from the sources beside
# this script, with the programs that people print with. It needs, as Debian names them:
# chromium, weasyprint, libreoffice-writer, librsvg2-bin, enscript, groff, ghostscript,
# pango1.0-tools, python3-reportlab, qpdf and img2pdf. Files of the same name are replaced;
# what a careful reader notes of each document is in the .json file beside it, written by
# hand, and not touched.
#
#	scripts/documents/make.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sources=$here/sources
made=$here/../../internal/reader/testdata/makes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

with_chromium() {
	for name in "$@"; do
		chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --user-data-dir="$work/profile" \
			--print-to-pdf="$made/$name.chromium.pdf" "file://$sources/$name.html" 2>/dev/null
	done
}

with_weasyprint() {
	for name in "$@"; do weasyprint --quiet "$sources/$name.html" "$made/$name.weasyprint.pdf"; done
}

with_libreoffice() {
	for name in "$@"; do
		soffice --headless "-env:UserInstallation=file://$work/office" --infilter='HTML (StarWriter)' \
			--convert-to pdf:writer_pdf_Export --outdir "$work" "$sources/$name.html" >/dev/null 2>&1
		mv "$work/$name.pdf" "$made/$name.libreoffice.pdf"
	done
}

with_chromium card_paren creditnote fancy nda paypal polish_en us_bank
with_weasyprint arbeitsvertrag bitforge brokerage contrat_travail datev depot_de emptyfields estratto_conto \
	factura_es facture_fr fattura_it factuur_nl form_1099 freight_net_vat_gross form_w2 freshbooks india_gst japan_en kassenbon \
	konto_de lease minutes nordic portefeuille_nl prose quickbooks releve_fr restaurant ride_receipt sales_agreement sap_de \
	sow_labels stripe thermal two_columns uk_bank utility values_above_labels xero
with_libreoffice lohnsteuer rent_receipt swiss

rsvg-convert -f pdf -o "$made/german_svg.rsvg.pdf" "$sources/german_svg.svg"
enscript -q -B -f Courier9 -p - "$sources/credit_union.txt" | ps2pdf - "$made/credit_union.enscript.pdf"
groff -t -Tps "$sources/pump_service.tr" | ps2pdf - "$made/pump_service.ps2pdf.pdf"
pango-view --no-display --font='DejaVu Serif 11' --width=500 --wrap=word -q -o "$made/contrato_es.pango.pdf" "$sources/contrato_es.txt"
python3 "$sources/reportlab_documents.py" "$made"

# The same page packed, encrypted without and with a password, scanned, and cut short.
qpdf --object-streams=generate --linearize "$made/two_columns.weasyprint.pdf" "$made/two_columns.qpdf-linearized.pdf"
qpdf --encrypt '' owner 256 -- "$made/two_columns.weasyprint.pdf" "$made/two_columns.qpdf-encrypted.pdf"
qpdf --encrypt user owner 256 -- "$made/two_columns.weasyprint.pdf" "$made/two_columns.qpdf-locked.pdf"
gs -q -sDEVICE=pnggray -r60 -o page.png "$made/two_columns.weasyprint.pdf"
img2pdf page.png -o "$made/two_columns.img2pdf-scan.pdf"
size=$(wc -c <"$made/two_columns.qpdf-linearized.pdf")
head -c $((size * 7 / 10)) "$made/two_columns.qpdf-linearized.pdf" >"$made/two_columns.cut.pdf"
