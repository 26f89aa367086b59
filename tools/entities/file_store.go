package entities

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"

	documents "toolkit/internal/reader"
)

// errAnalyse tells that the file has to be analysed before it can be stored.
var errAnalyse = errors.New("the file is not analysed")

// analyseAndStoreUpload stores a file in one transaction, after it was analysed where that is wanted
// and new.
func (f *family) analyseAndStoreUpload(ctx context.Context, u *upload) (uploadOutput, error) {
	for {
		out, err := runWrite(ctx, f, codeUploadFailed, func(tx *store.Tx) (uploadOutput, error) { return f.applyUpload(tx, u) })
		if !errors.Is(err, errAnalyse) {
			return out, err
		}
		var r reading
		tools.RunUnlocked(ctx, func() { r, err = f.analyseFile(ctx, u.staged, u.kind, u.name) })
		if err != nil {
			return uploadOutput{}, err
		}
		u.reading = &r
	}
}

// isRecordOfUnreadableFile reports whether a record stands for a file that could not be analysed.
func isRecordOfUnreadableFile(r records.Record) bool {
	if r.Type != fileType {
		return false
	}
	properties, err := decodeObject(r.Properties)
	return err == nil && properties[failureField] != nil
}

// applyUpload stores a file and tells what became of it.
func (f *family) applyUpload(tx *store.Tx, u *upload) (uploadOutput, error) {
	out := uploadOutput{FileURL: u.url, FileSize: u.staged.Size, ContentType: u.kind.MIME()}
	r, err := f.storeFile(tx, u, &out)
	if err != nil {
		return out, err
	}
	if u.in.RecordID == "" {
		out.Record = &uploadedRecord{toRecordFields(r), tools.FormatTimestamp(r.CreatedAt)}
	}
	return out, u.fillEntitiesAndWarnings(tx, r, &out)
}

// storeFile decides what the file is to the store: an attachment, something
// known, something that could not be read before, or something new.
func (f *family) storeFile(tx *store.Tx, u *upload, out *uploadOutput) (r records.Record, err error) {
	rows := records.In(tx)
	if u.in.RecordID != "" {
		return f.attachFile(tx, u)
	}
	known, exists, err := rows.ByID(u.id)
	if err != nil {
		return r, err
	}
	unread := exists && isRecordOfUnreadableFile(known)
	if u.properties == nil && u.reading == nil && (!exists || unread) {
		return r, errAnalyse
	}
	if unread && (u.properties != nil || u.reading.failure == "") {
		if _, err := deleteRecordsAndRecompute(tx, []string{u.id}); err != nil {
			return r, err
		}
		exists = false
	}
	text := ""
	if u.reading != nil {
		text = u.reading.text
	}
	if err := rows.StoreBlob(u.staged, u.kind.MIME(), u.name, text); err != nil {
		return r, err
	}
	out.Created = !exists
	switch {
	case exists:
		return f.addFileToRecord(tx, u, known)
	case u.properties != nil:
		return f.storeStatedProperties(tx, u)
	}
	return f.storeReading(tx, u)
}

// attachFile adds the file to a record that is there.
func (f *family) attachFile(tx *store.Tx, u *upload) (records.Record, error) {
	r, known, err := records.In(tx).ByID(u.in.RecordID)
	if err != nil {
		return r, err
	}
	if !known {
		e := recordNotFoundError()
		e.Field, e.Message = "record_id", "record_id names no record, or the record was deleted; retrieve_records lists records"
		return r, e
	}
	if err := records.In(tx).StoreBlob(u.staged, u.kind.MIME(), u.name, ""); err != nil {
		return r, err
	}
	return f.addFileToRecord(tx, u, r)
}

// addFileToRecord adds the file's URL, and the caller's properties like an update, to a record.
func (f *family) addFileToRecord(tx *store.Tx, u *upload, r records.Record) (records.Record, error) {
	urls := r.FileURLs
	if !slices.Contains(urls, u.url) {
		urls = append(urls, u.url)
	}
	changed, err := f.applyUpdate(tx, r, updateInput{FileURLs: urls}, u.properties)
	if err != nil {
		return r, err
	}
	u.overruled = changed.overruled
	// Also a record that had the URL before its file was deleted holds it now.
	return changed.record, linkStoredFiles(records.In(tx), r.Seq, urls)
}

// storeStatedProperties makes a record of the properties that the caller gave.
func (f *family) storeStatedProperties(tx *store.Tx, u *upload) (records.Record, error) {
	class := documents.KindDocument
	if stated, ok := u.properties[subtypeField].(string); ok && strings.TrimSpace(stated) != "" {
		class = resolveTypeAlias(stated)
	}
	r := records.Record{ID: u.id, Type: class, Properties: encodeJSON(u.properties), FileURLs: []string{u.url}, CreatedAt: f.nowMillis(), UpdatedAt: f.nowMillis()}
	if isFinancial(class) {
		r.Type = financialType
	}
	var err error
	r, u.overruled, err = f.ingestDocument(tx, newRecordDocument(r, u.properties), r.CreatedAt)
	return r, err
}

// storeReading makes records of what was read of the file.
func (f *family) storeReading(tx *store.Tx, u *upload) (records.Record, error) {
	now := f.nowMillis()
	r, overruled, err := f.ingestDocument(tx, u.reading.toDocument(u.id, u.url, now), now)
	if err != nil {
		return r, err
	}
	u.overruled = overruled
	again := 0
	var sameIDs []string
	for i, p := range u.reading.parts {
		id := p.recordID(u.staged.SHA256, i+1)
		known, difference, err := f.addFileToExistingItem(tx, p, id, u.url)
		if err != nil {
			return r, err
		}
		if known {
			again++
			continue
		}
		if difference != "" {
			sameIDs = append(sameIDs, difference)
		}
		d := p.toDocument(id, u.url, now)
		part, overruled, err := f.ingestDocument(tx, d, now)
		if err != nil {
			return r, err
		}
		if len(d.Statements) > 0 {
			u.items = append(u.items, d.Statements[0].entity)
		}
		u.overruled = append(u.overruled, overruled...)
		if err := records.In(tx).InsertPart(r.Seq, part.Seq, i+1); err != nil {
			return r, err
		}
	}
	if again > 0 {
		warning := fmt.Sprintf("%d of %d %ss are known from another file and were not added again", again, len(u.reading.parts), transactionType)
		if again < len(u.reading.parts) && u.reading.parts[0].properties["account"] == nil {
			warning += ": equal ones of another account are not told apart, since the file names no account; store those that are missing with submit_payload"
		}
		u.reading.addWarning(warning)
	}
	if len(sameIDs) > 0 {
		u.reading.addWarning(fmt.Sprintf("%d %ss have the id of another one with another day or amount, and both are kept: a bank that corrects a booking or numbers each file from one (%s)", len(sameIDs), transactionType, sameIDs[0]))
	}
	return r, nil
}

// fillEntitiesAndWarnings names the entities of a record and its items, and what is doubtful or left to a person.
func (u *upload) fillEntitiesAndWarnings(tx *store.Tx, r records.Record, out *uploadOutput) (err error) {
	out.overruled = distinctLines(u.overruled)
	if !out.Created {
		corrected, err := warnCorrectedRecords(entities.In(tx), []records.Record{r})
		if err != nil {
			return err
		}
		out.overruled = append(out.overruled, corrected...)
	}
	if u.reading != nil {
		out.incomplete, out.fieldWarnings = u.reading.warnings, u.reading.fieldWarnings
	} else {
		out.fieldWarnings = listBodyWarnings(capabilityForType(entityTypeOf(r.Type, u.properties)), dropNulls(u.properties))
	}
	if out.Entities, err = entityRefsOfRecord(tx, r); err != nil {
		return err
	}
	documents := u.items
	if r.Entity != 0 {
		self, err := entityOfRecord(tx, r)
		if err != nil {
			return err
		}
		documents = append([]entities.Entity{self}, documents...)
	}
	suggestions, unlinked, err := findOpenLinks(entities.In(tx), documents)
	if err != nil {
		return err
	}
	out.Suggestions, out.fieldWarnings = suggestions, append(out.fieldWarnings, unlinked...)
	out.Warnings = slices.Concat(out.incomplete, out.fieldWarnings, out.overruled)
	parts, err := records.In(tx).Parts(r.Seq)
	if out.ItemCount = len(parts); err != nil || len(parts) > maxItemsNamed {
		return err
	}
	for _, part := range parts {
		item, _, err := records.In(tx).ByID(part)
		if err != nil {
			return err
		}
		if item.Entity == 0 {
			continue
		}
		e, err := entityOfRecord(tx, item)
		if err != nil {
			return err
		}
		if slices.Contains(partyTypes, e.Type) {
			out.Entities = append(out.Entities, entityRef{e.ID, e.Type, e.Name, itemRole})
		}
	}
	return nil
}

const (
	// maxItemsNamed is how many items a file has at most for the papers among them to be named in the answer.
	maxItemsNamed = 20
	// itemRole is the role of a paper that came in a file, such as the invoice attached to a mail.
	itemRole = "item"
)

// entityRefsOfRecord names the entities that a stored record speaks of, itself first.
func entityRefsOfRecord(tx *store.Tx, r records.Record) ([]entityRef, error) {
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return nil, err
	}
	roles := map[string]string{} // the fields in which entities are found, by their ids
	for _, s := range extractStatements(capabilityForType(entityTypeOf(r.Type, properties)), properties) {
		roles[s.EntityID] = s.Role
	}
	known, err := entities.In(tx).EntitiesOfRecord(r.Seq)
	list := []entityRef{}
	for _, e := range known {
		if e.Seq == r.Entity {
			list = append([]entityRef{{e.ID, e.Type, e.Name, selfRole}}, list...)
			continue
		}
		list = append(list, entityRef{e.ID, e.Type, e.Name, cmp.Or(roles[e.ID], "mentioned")})
	}
	return list, err
}
