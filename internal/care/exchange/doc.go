// Package exchange reads the memory files of other servers into neutral
// records, writes neutral records back, and moves them into the store and out
// of it. A [Document] is all there is between a file and the rows: [Read] makes
// it of a file and [Write] prints it; [Import] applies it in one transaction,
// and [Export] writes the one that the store holds.
//
// # What is read
//
// JSON lines, in any mix within one file:
//
//   - the official memory server: entity and relation lines, or one object
//     {"entities":[…],"relations":[…]} on a single line or spread over many;
//   - coaia-narrative: the same with "metadata" and further keys, where a
//     structural tension chart is a constellation of entities (names in
//     [ChartEntityName], [OutcomeEntityName], [RealityEntityName]);
//   - old beat lines {"type":"narrative_beat", …};
//   - lines wrapped as {"type":"entity","data":{…}};
//   - this product's own chart entity, whose metadata holds desiredOutcome and
//     currentReality.
//
// A byte order mark, CRLF, blank lines and a missing final newline are
// accepted. Import applies no rule about orientation, length, enumeration or
// date pattern: real files hold what they hold.
//
// # What a Document promises
//
// Node names are unique: an entity, beat or step has its name, a chart its ID.
// Every relation end, ParentChart, ParentStep and ParentBeat names a node of
// the same document, and neither charts nor beats are their own ancestors.
// What cannot be held that way stays: an incomplete chart, a step without
// chart or a beat without chart is a plain [Entity]; a relation with a missing
// end or a line of an unknown type is in Foreign; an unknown field is in
// Metadata or Extra. The [Report] names the line of each record that had to change its place.
//
// # Lifted fields
//
// Charts, steps and beats have their well-known metadata in typed fields.
// Metadata and Extra then hold the rest: unknown keys, and known keys whose
// value has an unexpected type. Where such a value is another spelling of what
// is meant, such as "2" for 2, the typed field has its meaning; where it means
// nothing, the report says so. On writing, a typed field that is set wins over
// a key of the same name in Metadata or Extra, unless that is a spelling of the
// same meaning.
//
// # State in the official format
//
// The official format has no metadata. [Memory] writes due dates and completion
// of charts and steps as their last observations ("Due date: …", "Completed
// on: …", "Status: completed"), and Read takes them back from chart and step
// entities that have no metadata and nothing else beside their observations.
package exchange
