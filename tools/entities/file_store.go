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

// storeUpload stores a file in one transaction, after it was analysed where that is wanted
// and new.
func (f *family) storeUpload(ctx context.Context, u *upload) (uploadOutput, error) {
	for {
		out, err := write(ctx, f, codeUploadFailed, func(tx *store.Tx) (uploadOutput, error) { return f.applyUpload(tx, u) })
		if !errors.Is(err, errAnalyse) {
			return out, err
		}
		var r reading
		tools.RunUnlocked(ctx, func() { r, err = f.analyse(ctx, u.staged, u.kind, u.name) })
		if err != nil {
			return uploadOutput{}, err
		}
		u.reading = &r
	}
}

// isUnread reports whether a record stands for a file that could not be analysed.
func isUnread(r records.Record) bool {
	if r.Type != fileType {
		return false
	}
	properties, err := decodeObject(r.Properties)
	return err == nil && properties[failureField] != nil
}

// applyUpload decides what the file is to the store: an attachment, something
// known, something that could not be read before, or something new.
func (f *family) applyUpload(tx *store.Tx, u *upload) (uploadOutput, error) {
	out := uploadOutput{FileURL: u.url, FileSize: u.staged.Size, ContentType: u.kind.MIME(), Entities: []entityRef{}}
	if u.in.RecordID != "" {
		return out, f.attach(tx, u, &out)
	}
	known, exists, err := records.In(tx).ByID(u.id)
	if err != nil {
		return out, err
	}
	unread := exists && isUnread(known)
	if u.properties == nil && u.reading == nil && (!exists || unread) {
		return out, errAnalyse
	}
	if unread && (u.properties != nil || u.reading.failure == "") {
		if _, err := removeRecords(tx, []string{u.id}); err != nil {
			return out, err
		}
		exists = false
	}
	text := ""
	if u.reading != nil {
		text = u.reading.text
	}
	if err := records.In(tx).StoreBlob(u.staged, u.kind.MIME(), u.name, text); err != nil {
		return out, err
	}
	switch {
	case exists:
		err = f.storeRepeated(tx, u, known, &out)
	case u.properties != nil:
		err = f.storeGiven(tx, u, &out)
	default:
		err = f.storeRead(tx, u, &out)
	}
	return out, err
}

// attach adds the file to a record that is there.
func (f *family) attach(tx *store.Tx, u *upload, out *uploadOutput) error {
	r, known, err := records.In(tx).ByID(u.in.RecordID)
	if err != nil {
		return err
	}
	if !known {
		e := recordNotFound()
		e.Field, e.Message = "record_id", "record_id names no record, or the record was deleted; retrieve_records lists records"
		return e
	}
	if err := records.In(tx).StoreBlob(u.staged, u.kind.MIME(), u.name, ""); err != nil {
		return err
	}
	_, err = f.addToRecord(tx, u, r, out)
	return err
}

// addToRecord adds the file's URL, and the caller's properties, to a record.
func (f *family) addToRecord(tx *store.Tx, u *upload, r records.Record, out *uploadOutput) (records.Record, error) {
	urls := r.FileURLs
	if !slices.Contains(urls, u.url) {
		urls = append(urls, u.url)
	}
	changed, err := f.updateFound(tx, r, updateInput{FileURLs: urls}, u.properties)
	if err != nil {
		return r, err
	}
	u.overruled = changed.overruled
	// Also a record that had the URL before its file was deleted holds it now.
	if err := holdStoredFiles(records.In(tx), r.Seq, urls); err != nil {
		return r, err
	}
	return changed.record, u.describe(tx, changed.record, out)
}

// storeRepeated takes in bytes that have a record already. Properties of the caller are
// merged into it, like an update.
func (f *family) storeRepeated(tx *store.Tx, u *upload, r records.Record, out *uploadOutput) error {
	r, err := f.addToRecord(tx, u, r, out)
	if err != nil {
		return err
	}
	out.Record = showUploaded(r)
	corrected, err := correctedWarnings(entities.In(tx), []records.Record{r})
	out.overruled, out.Warnings = append(out.overruled, corrected...), append(out.Warnings, corrected...)
	return err
}

// storeGiven makes a record of the properties that the caller gave.
func (f *family) storeGiven(tx *store.Tx, u *upload, out *uploadOutput) error {
	class := documents.KindDocument
	if stated, ok := u.properties[subtypeField].(string); ok && strings.TrimSpace(stated) != "" {
		class = commonType(stated)
	}
	r := records.Record{ID: u.id, Type: class, Properties: encodeJSON(u.properties), FileURLs: []string{u.url}, CreatedAt: f.now(), UpdatedAt: f.now()}
	if isFinancial(class) {
		r.Type = financialType
	}
	r, overruled, err := f.ingest(tx, recordDocument(r, u.properties), r.CreatedAt)
	if err != nil {
		return err
	}
	u.overruled = overruled
	return u.created(tx, r, out)
}

// storeRead makes records of what was read of the file.
func (f *family) storeRead(tx *store.Tx, u *upload, out *uploadOutput) error {
	now := f.now()
	r, overruled, err := f.ingest(tx, u.reading.document(u.id, u.url, now), now)
	if err != nil {
		return err
	}
	u.overruled = overruled
	again := 0
	var sameIDs []string
	for i, p := range u.reading.parts {
		id := p.id(u.staged.SHA256, i+1)
		known, difference, err := f.holdExisting(tx, p, id, u.url)
		if err != nil {
			return err
		}
		if known {
			again++
			continue
		}
		if difference != "" {
			sameIDs = append(sameIDs, difference)
		}
		d := p.document(id, u.url, now)
		part, overruled, err := f.ingest(tx, d, now)
		if err != nil {
			return err
		}
		if len(d.Statements) > 0 {
			u.items = append(u.items, d.Statements[0].entity)
		}
		u.overruled = append(u.overruled, overruled...)
		if err := records.In(tx).InsertPart(r.Seq, part.Seq, i+1); err != nil {
			return err
		}
	}
	if again > 0 {
		warning := fmt.Sprintf("%d of %d %ss are known from another file and were not added again", again, len(u.reading.parts), transactionType)
		if again < len(u.reading.parts) && u.reading.parts[0].properties["account"] == nil {
			warning += ": equal ones of another account are not told apart, since the file names no account; store those that are missing with submit_payload"
		}
		u.reading.warn(warning)
	}
	if len(sameIDs) > 0 {
		u.reading.warn(fmt.Sprintf("%d %ss have the id of another one with another day or amount, and both are kept: a bank that corrects a booking or numbers each file from one (%s)", len(sameIDs), transactionType, sameIDs[0]))
	}
	return u.created(tx, r, out)
}

func (u *upload) created(tx *store.Tx, r records.Record, out *uploadOutput) error {
	out.Created, out.Record = true, showUploaded(r)
	return u.describe(tx, r, out)
}

// describe names the entities of a record and its items.
func (u *upload) describe(tx *store.Tx, r records.Record, out *uploadOutput) error {
	out.overruled = distinctLines(u.overruled)
	if u.reading != nil {
		out.incomplete, out.fieldWarnings = u.reading.warnings, u.reading.fieldWarnings
	} else {
		out.fieldWarnings = checkBody(capabilityOf(entityTypeOf(r.Type, u.properties)), dropNulls(u.properties))
	}
	if err := u.describeLinks(tx, r, out); err != nil {
		return err
	}
	out.Warnings = slices.Concat(out.incomplete, out.fieldWarnings, out.overruled)
	parts, err := records.In(tx).Parts(r.Seq)
	if err != nil {
		return err
	}
	out.ItemCount = len(parts)
	known, err := entities.In(tx).RecordEntities(r.Seq)
	if err != nil {
		return err
	}
	roles := rolesOf(r)
	for _, e := range known {
		ref := entityRef{e.ID, e.Type, e.Name, roles[e.ID]}
		if e.Seq == r.Entity {
			ref.Role = selfRole
			out.Entities = append([]entityRef{ref}, out.Entities...)
			continue
		}
		ref.Role = cmp.Or(ref.Role, "mentioned")
		out.Entities = append(out.Entities, ref)
	}
	return nil
}

// describeLinks adds what is left to a person of the links of the file's documents.
func (u *upload) describeLinks(tx *store.Tx, r records.Record, out *uploadOutput) error {
	documents := u.items
	if r.Entity != 0 {
		self, err := entityOfRecord(tx, r)
		if err != nil {
			return err
		}
		documents = append([]entities.Entity{self}, documents...)
	}
	suggestions, unlinked, err := findOpenLinks(entities.In(tx), documents)
	out.Suggestions, out.fieldWarnings = suggestions, append(out.fieldWarnings, unlinked...)
	return err
}

// rolesOf are the fields of a record that entities are found in, by their ids.
func rolesOf(r records.Record) map[string]string {
	roles := map[string]string{}
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return roles
	}
	for _, s := range extract(capabilityOf(entityTypeOf(r.Type, properties)), properties) {
		roles[s.EntityID] = s.Role
	}
	return roles
}

func showUploaded(r records.Record) *uploadedRecord {
	return &uploadedRecord{showFields(r), tools.Timestamp(r.CreatedAt)}
}
