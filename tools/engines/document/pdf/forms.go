package pdf

import (
	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

// forms brings what was typed into a document's form fields into its text: the numbers of
// a filled-in tax form live there and nowhere else.
type forms struct {
	document references.FPDF_DOCUMENT
	handle   references.FPDF_FORMHANDLE
	open     bool
}

// openForms prepares the form of a document, if it has one. A form that cannot be opened
// is left alone: the page's own text is still of use.
func openForms(instance pdfium.Pdfium, document references.FPDF_DOCUMENT) forms {
	prepared := forms{document: document}
	kind, err := instance.FPDF_GetFormType(&requests.FPDF_GetFormType{Document: document})
	if err != nil || kind.FormType == enums.FPDF_FORMTYPE_NONE {
		return prepared
	}
	environment, err := instance.FPDFDOC_InitFormFillEnvironment(&requests.FPDFDOC_InitFormFillEnvironment{
		Document: document,
		// The engine calls back on events of a window; there is none.
		FormFillInfo: structs.FPDF_FORMFILLINFO{
			FFI_Invalidate:         func(references.FPDF_PAGE, float64, float64, float64, float64) {},
			FFI_SetCursor:          func(enums.FXCT) {},
			FFI_SetTimer:           func(int, func(int)) int { return 0 },
			FFI_KillTimer:          func(int) {},
			FFI_GetLocalTime:       func() structs.FPDF_SYSTEMTIME { return structs.FPDF_SYSTEMTIME{} },
			FFI_GetPage:            func(references.FPDF_DOCUMENT, int) *references.FPDF_PAGE { return nil },
			FFI_GetRotation:        func(references.FPDF_PAGE) enums.FPDF_PAGE_ROTATION { return enums.FPDF_PAGE_ROTATION_NONE },
			FFI_ExecuteNamedAction: func(string) {},
		},
	})
	if err == nil {
		prepared.handle, prepared.open = environment.FormHandle, true
	}
	return prepared
}

func (prepared forms) close(instance pdfium.Pdfium) {
	if prepared.open {
		_, _ = instance.FPDFDOC_ExitFormFillEnvironment(&requests.FPDFDOC_ExitFormFillEnvironment{FormHandle: prepared.handle})
	}
}

// flatten writes annotations and form fields into the page's content, where text
// extraction sees them, and returns the page loaded anew. Fields that the file does not
// draw are drawn by the engine first. The change is made to the copy in the sandbox alone.
func (prepared forms) flatten(instance pdfium.Pdfium, page references.FPDF_PAGE, index int) (references.FPDF_PAGE, error) {
	byReference := requests.Page{ByReference: &page}
	count, err := instance.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: byReference})
	if err != nil || count.Count == 0 {
		return page, nil
	}
	if prepared.open {
		if _, err := instance.FORM_OnAfterLoadPage(&requests.FORM_OnAfterLoadPage{Page: byReference, FormHandle: prepared.handle}); err == nil {
			_, _ = instance.FORM_OnBeforeClosePage(&requests.FORM_OnBeforeClosePage{Page: byReference, FormHandle: prepared.handle})
		}
	}
	if _, err := instance.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: byReference}); err != nil {
		return page, nil
	}
	if _, err := instance.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: page}); err != nil {
		return page, err
	}
	again, err := instance.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: prepared.document, Index: index})
	if err != nil {
		return page, err
	}
	return again.Page, nil
}
