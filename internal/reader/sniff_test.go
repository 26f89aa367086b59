package reader

import (
	"errors"
	"strings"
	"testing"
)

func TestContentDecidesBeforeTheName(t *testing.T) {
	docx := string(zipped(t, map[string]string{"word/document.xml": "<w/>"}))
	xlsx := string(zipped(t, map[string]string{"xl/workbook.xml": "<w/>"}))
	for name, test := range map[string]struct {
		head, file string
		want       Type
	}{
		"a PDF under another name":             {"%PDF-1.7\n", "photo.png", PDF},
		"a PDF behind a blank line":            {"\n%PDF-1.4", "a.pdf", PDF},
		"a text about PDF":                     {"The header is %PDF-1.4", "a.txt", Text},
		"PNG":                                  {"\x89PNG\r\n\x1a\n", "x", PNG},
		"JPEG":                                 {"\xff\xd8\xff\xe0", "x.txt", JPG},
		"GIF":                                  {"GIF89a", "", GIF},
		"WebP":                                 {"RIFF\x00\x00\x00\x00WEBPVP8 ", "", WEBP},
		"Word":                                 {docx, "a.zip", DOCX},
		"Excel":                                {xlsx, "a.bin", XLSX},
		"Markdown needs its name":              {"# Title\n", "a.md", MD},
		"a heading without a name":             {"# Title\n", "a", Text},
		"CSV needs its name":                   {"a,b\n1,2\n", "a.csv", CSV},
		"TSV":                                  {"a\tb\n", "a.tsv", TSV},
		"JSON":                                 {`{"a": 1}`, "", JSON},
		"JSON called text":                     {`[1, 2]`, "a.txt", JSON},
		"a text in brackets":                   {"[note] buy milk", "a.txt", Text},
		"lines of JSON":                        {"{\"a\":1}\n{\"a\":2}\n", "a.json", NDJSON},
		"HTML":                                 {"<!DOCTYPE html><p>", "a.txt", HTML},
		"a fragment of HTML":                   {"<p>hello</p>", "a.html", HTML},
		"XML":                                  {"<?xml version='1.0'?><a/>", "", XML},
		"a message":                            {"From: a@example.com\nSubject: x\n\nhi", "a.eml", EML},
		"a message without a name":             {"Received: x\nFrom: a@example.com\n\nhi", "", EML},
		"a mailbox":                            {"From a Mon Jan 6 10:00:00 2025\nFrom: a@example.com\nTo: b\n\nhi", "a.mbox", MBOX},
		"a letter that starts with From":       {"From the desk of Ann\nhello", "a.txt", Text},
		"a calendar":                           {"BEGIN:VCALENDAR\r\n", "a.txt", ICS},
		"a contact":                            {"begin:vcard\n", "", VCF},
		"UTF-16":                               {"\xff\xfeh\x00i\x00", "a.txt", Text},
		"Latin-1":                              {"M\xfcller", "a.txt", Text},
		"an empty text":                        {"", "a.txt", Text},
		"a table in UTF-16 called what it is":  {"\xff\xfea\x00;\x00b\x00", "a.csv", CSV},
		"a calendar with a byte order mark":    {"\xef\xbb\xbfBEGIN:VCALENDAR", "a.ics", ICS},
		"upper-case endings are as good":       {"a,b\n", "A.CSV", CSV},
		"a log is a text":                      {"2025-01-01 started", "a.log", Text},
		"a page that opens with a declaration": {"<?xml version='1.0'?><html xmlns='x'>", "a", HTML},
	} {
		got, err := Sniff([]byte(test.head), test.file)
		if err != nil || got != test.want {
			t.Errorf("%s: Sniff = %q, %v; want %q", name, got, err, test.want)
		}
		if got != "" && got.MIME() == "" {
			t.Errorf("%s has no MIME type", got)
		}
	}
}

func TestForeignFilesAreUnsupported(t *testing.T) {
	for name, test := range map[string]struct{ head, file string }{
		"a program":                 {"\x7fELF\x02\x01\x01\x00\x00\x00", "a.txt"},
		"an archive":                {"PK\x03\x04\x14\x00\x00\x00", "a.zip"},
		"an empty file":             {"", "a.bin"},
		"an empty PDF":              {"", "a.pdf"},
		"a source file":             {"package main", "a.go"},
		"binary called a PDF":       {"\x00\x01\x02\x03", "a.pdf"},
		"a compressed file":         {"\x1f\x8b\x08\x00", "a.gz"},
		"a text full of controls":   {"\x01\x02\x03\x04abc", "a.txt"},
		"a script with its own end": {"#!/bin/sh\n", "run.sh"},
	} {
		if got, err := Sniff([]byte(test.head), test.file); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: Sniff = %q, %v; want ErrUnsupported", name, got, err)
		}
	}
}

func TestEveryTypeHasAReaderAndAMIMEType(t *testing.T) {
	for _, kind := range Types() {
		if formatOf(kind).read == nil || kind.MIME() == "" || formatForFileName("a."+strings.ToUpper(string(kind))).kind != kind {
			t.Errorf("%s: reader %t, MIME type %q, files called %q", kind, formatOf(kind).read != nil, kind.MIME(), formatOf(kind).endings)
		}
	}
	if len(formats) != 22 {
		t.Errorf("%d formats, want 22", len(formats))
	}
}
