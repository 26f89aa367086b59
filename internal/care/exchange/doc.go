// Package exchange moves the knowledge graph between the store and the memory
// files of other servers: [Read] makes a [File] of JSON lines, [Import] applies
// it in one transaction, and [Export] writes what the store holds.
//
// # What is read
//
// JSON lines, in any mix within one file:
//
//   - the official memory server: entity and relation lines;
//   - coaia-narrative: the same with "metadata" and further members, where a
//     structural tension chart consists of several entities (see [Chart]);
//   - old beat lines {"type":"narrative_beat", …};
//   - lines wrapped as {"type":"entity","data":{…}}.
//
// A line that cannot be read is left out and reported with its number. Import
// applies no rule about orientation, length or date pattern.
//
// # What is kept
//
// Every entity, relation, observation, chart, step, beat and unknown member. What
// has a column is stored there; what has none stays in the columns metadata
// (keys of "metadata"), extra (members of the line) and origin (the parts of a
// chart that have no row). An incomplete chart, and a step or beat without
// chart, become plain entities. A relation with a missing end and a line of an
// unknown type are kept as foreign lines. Dates come back in UTC, and keys and
// lines in the order of this program.
package exchange
