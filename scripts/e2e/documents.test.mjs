import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { call, connect, folder, refusedWith } from "./connect.mjs";

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

// pdf makes a PDF of lines of text, with a correct table of references.
function pdf(lines) {
  const content = lines.map(([x, y, size, text]) => `BT /F1 ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, "\\$&")}) Tj ET`).join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((body, i) => {
    const at = file.length;
    file += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const table = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`;
  return Buffer.from(`${file}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`, "latin1");
}

const invoice = (number, total) => pdf([
  [56, 780, 22, "INVOICE"], [56, 740, 11, `Invoice number: ${number}`], [56, 724, 11, "Invoice date: 2025-03-04"], [56, 708, 11, "Due date: 2025-04-03"],
  [56, 676, 11, "Vendor: Nordlicht Werkstatt GmbH"], [56, 660, 11, "Customer: Harbour Books Ltd"], [56, 600, 11, `Total: EUR ${total}`],
]);

const later = () => new Promise((resolve) => setTimeout(resolve, 5)); // so that two moments differ

test("a document walks through its life", async (t) => {
  const dir = folder(t);
  const files = path.join(dir, "papers");
  mkdirSync(files);
  const db = path.join(dir, "data", "toolkit.db");
  const client = await connect(t, db, ["--file-root", files]);
  const bytes = invoice("NW-7781", "1,250.40");
  const file = path.join(files, "scan – März \u{1F9FE}.pdf");
  writeFileSync(file, bytes);

  const before = new Date().toISOString();
  await later();
  const uploaded = await call(client, "upload_file", { file_path: file });
  assert.equal(uploaded.record.type, "FinancialRecord");
  assert.equal(uploaded.record.properties.document_type, "invoice");
  assert.equal(uploaded.record.properties.invoice_number, "NW-7781");
  assert.equal(uploaded.record.properties.amount, 1250.4);
  assert.equal(uploaded.file_size, bytes.length);
  assert.equal(uploaded.content_type, "application/pdf");
  assert.deepEqual(uploaded.entities.map((e) => [e.role, e.entity_type, e.canonical_name]), [
    ["self", "invoice", "NW-7781"], ["vendor_name", "company", "Nordlicht Werkstatt GmbH"], ["customer_name", "company", "Harbour Books Ltd"],
  ]);
  const [self, , customer] = uploaded.entities;
  await later();
  const afterUpload = new Date().toISOString();
  await later();

  await call(client, "correct_field", { entity_id: self.entity_id, field: "amount", value: 1240.5, reason: "a discount was agreed" });
  await later();
  const afterCorrection = new Date().toISOString();
  await later();
  await call(client, "submit_payload", {
    capability_id: "neotoma:store_invoice:v1",
    body: { invoice_number: "NW-7781", vendor_name: "Nordlicht Werkstatt GmbH", status: "paid" },
    provenance: { source_refs: [], extracted_at: new Date().toISOString(), extractor_version: "e2e:v1" },
  });

  const at = async (moment) => (await call(client, "get_entity_snapshot", moment ? { entity_id: self.entity_id, at: moment } : { entity_id: self.entity_id })).snapshot;
  await refusedWith(client, "get_entity_snapshot", { entity_id: self.entity_id, at: before }, "ENTITY_NOT_FOUND");
  assert.deepEqual([(await at(afterUpload)).amount, (await at(afterUpload)).status], [1250.4, undefined]);
  assert.deepEqual([(await at(afterCorrection)).amount, (await at(afterCorrection)).status], [1240.5, undefined]);
  assert.deepEqual([(await at()).amount, (await at()).status], [1240.5, "paid"]);

  for (const [entity, field] of [[self, "due_date"], [customer, "name"]]) {
    const from = await call(client, "get_field_provenance", { entity_id: entity.entity_id, field });
    assert.equal(from.source_record.id, uploaded.record.id);
    assert.deepEqual(from.source_record.file_urls, [uploaded.file_url]);
    assert.equal(from.source_location.page, 1);
    const signed = await call(client, "get_file_url", { file_path: from.source_record.file_urls[0], expires_in: 60 });
    const answer = await fetch(signed.signed_url);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.equal(sha256(Buffer.from(await answer.arrayBuffer())), sha256(bytes));
  }

  const again = await call(client, "upload_file", { file_path: file });
  assert.deepEqual([again.created, again.record.id], [false, uploaded.record.id]);
  const signed = await call(client, "get_file_url", { file_path: uploaded.file_url });
  const stored = path.join(dir, "data", "files", "sha256", sha256(bytes).slice(0, 2), sha256(bytes));
  assert.equal(sha256(readFileSync(stored)), sha256(bytes));
  if (process.platform !== "win32") {
    assert.equal(statSync(stored).mode & 0o777, 0o600);
    assert.equal(statSync(path.join(dir, "data", "files.key")).mode & 0o777, 0o600);
  }
  await call(client, "delete_record", { id: uploaded.record.id });
  assert.throws(() => readFileSync(stored), { code: "ENOENT" });
  assert.equal((await fetch(signed.signed_url)).status, 404);
  assert.deepEqual([(await at()).amount, (await at()).status, (await at()).due_date], [1240.5, "paid", undefined]);
});

test("a URL answers nobody else, and ends with the server", async (t) => {
  const dir = folder(t);
  writeFileSync(path.join(dir, "page.html"), "<html><script>fetch('//example.org')</script></html>");
  const client = await connect(t, path.join(dir, "toolkit.db"), ["--file-root", dir]);
  const { file_url } = await call(client, "upload_file", { file_path: path.join(dir, "page.html") });
  const signed = new URL((await call(client, "get_file_url", { file_path: file_url })).signed_url);
  const answer = await fetch(signed);
  assert.match(answer.headers.get("content-security-policy"), /^sandbox; default-src 'none'/);
  assert.match(answer.headers.get("content-disposition"), /^attachment/);
  assert.equal(await (await fetch(signed, { headers: { range: "bytes=1-4" } })).text(), "html");
  const forged = new URL(signed);
  forged.searchParams.set("expires", Number(forged.searchParams.get("expires")) + 1);
  assert.equal((await fetch(forged)).status, 403);
  assert.equal((await fetch(signed, { method: "POST" })).status, 405);
  const status = await new Promise((resolve, reject) => http.get(signed, { headers: { host: "rebound.example" } }, (r) => resolve(r.resume().statusCode)).on("error", reject));
  assert.equal(status, 403);
  await client.close();
  await assert.rejects(fetch(signed));
});

test("files are taken from allowed folders only", async (t) => {
  const dir = folder(t);
  const elsewhere = mkdtempSync(path.join(tmpdir(), "toolkit-e2e-"));
  t.after(() => rmSync(elsewhere, { recursive: true, force: true }));
  writeFileSync(path.join(elsewhere, "secret.txt"), "secret");
  writeFileSync(path.join(dir, "program.pdf"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]));
  const client = await connect(t, path.join(dir, "toolkit.db"), ["--file-root", dir]);
  await refusedWith(client, "upload_file", { file_path: path.join(elsewhere, "secret.txt") }, "PERMISSION_DENIED");
  if (process.platform !== "win32") {
    symlinkSync(path.join(elsewhere, "secret.txt"), path.join(dir, "mine.txt"));
    await refusedWith(client, "upload_file", { file_path: path.join(dir, "mine.txt") }, "PERMISSION_DENIED");
  }
  await refusedWith(client, "upload_file", { file_path: path.join(dir, "none.pdf") }, "FILE_NOT_FOUND");
  await refusedWith(client, "upload_file", { file_path: dir }, "VALIDATION_ERROR");
  await refusedWith(client, "upload_file", { file_path: path.join(dir, "program.pdf") }, "UNSUPPORTED_FILE_TYPE");
  const error = await refusedWith(client, "get_file_url", { file_path: "toolkit://files/sha256/00/00" }, "FILE_NOT_FOUND");
  assert.equal(error.details.http_status, 404);
});

test("two processes that upload the same bytes at once make one record", async (t) => {
  const dir = folder(t);
  const db = path.join(dir, "toolkit.db");
  const file = path.join(dir, "note.md");
  writeFileSync(file, "# Shared\n\n- [ ] Water the roses\n");
  const clients = await Promise.all([1, 2, 3].map(() => connect(t, db, ["--file-root", dir])));
  const uploads = await Promise.all(clients.map((client) => call(client, "upload_file", { file_path: file })));
  assert.equal(new Set(uploads.map((u) => u.record.id)).size, 1);
  assert.equal(uploads.filter((u) => u.created).length, 1);
  for (const [i, client] of clients.entries()) {
    const { signed_url } = await call(client, "get_file_url", { file_path: uploads[i].file_url });
    assert.equal(sha256(Buffer.from(await (await fetch(signed_url)).arrayBuffer())), sha256(readFileSync(file)));
  }
  const { total } = await call(clients[0], "retrieve_records", { search: ["roses"], search_mode: "keyword" });
  assert.equal(total, 1);
});
