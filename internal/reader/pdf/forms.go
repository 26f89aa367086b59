package pdf

// openForm prepares the form of a document, if it has one, so that what was typed into its
// fields comes into its text: the numbers of a filled-in tax form live there and nowhere
// else. 0: there is none, or it cannot be opened; the page's own text is still of use.
func openForm(started *sandbox, document uint64) (form uint64) {
	if started.callInt("FPDF_GetFormType", document) == 0 {
		return 0
	}
	// What the engine calls back is set by this, and does nothing; see instantiateHost.
	window := started.callHandle("FPDF_FORMFILLINFO_Create")
	if window == 0 {
		return 0
	}
	return started.callHandle("FPDFDOC_InitFormFillEnvironment", document, window)
}

// flattenAndReloadPage writes annotations and form fields into the page's content, where text
// extraction sees them, and returns the page loaded anew. Fields that the file does not
// draw are drawn by the engine first. The change is made to the copy in the sandbox alone.
func (opened file) flattenAndReloadPage(page uint64, index int) uint64 {
	if opened.callInt("FPDFPage_GetAnnotCount", page) <= 0 {
		return page
	}
	if opened.form != 0 {
		opened.call("FORM_OnAfterLoadPage", page, opened.form)
		opened.call("FORM_OnBeforeClosePage", page, opened.form)
	}
	opened.call("FPDFPage_Flatten", page, 0)
	opened.call("FPDF_ClosePage", page)
	return opened.loadPage(index)
}
