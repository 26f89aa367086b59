// What of the conformance suite does not apply to this server, and why.

const asksNothing = 'the server never asks the client\'s user or model anything, so it needs no input rounds'
const noTasks = 'an extension that the server does not declare: every call ends within a minute'

// Scenarios that need a tool which neither the product nor the frame can have.
export const notApplicable = {
  'tools-call-sampling': asksNothing,
  'tools-call-elicitation': asksNothing,
  'elicitation-sep1034-defaults': asksNothing,
  'elicitation-sep1330-enums': asksNothing,
  'input-required-result-basic-elicitation': asksNothing,
  'input-required-result-basic-sampling': asksNothing,
  'input-required-result-basic-list-roots': asksNothing,
  'input-required-result-request-state': asksNothing,
  'input-required-result-multiple-input-requests': asksNothing,
  'input-required-result-multi-round': asksNothing,
  'input-required-result-missing-input-response': asksNothing,
  'input-required-result-non-tool-request': asksNothing,
  'input-required-result-result-type': asksNothing,
  'input-required-result-unsupported-methods': asksNothing,
  'input-required-result-tampered-state': asksNothing,
  'input-required-result-capability-check': asksNothing,
  'input-required-result-ignore-extra-params': asksNothing,
  'input-required-result-validate-input': asksNothing,
  'tasks-lifecycle': noTasks,
  'tasks-capability-negotiation': noTasks,
  'tasks-wire-fields': noTasks,
  'tasks-request-state-removal': noTasks,
  'tasks-mrtr-input': noTasks,
  'tasks-request-headers': noTasks,
  'tasks-dispatch-and-envelope': noTasks,
  'tasks-status-notifications': noTasks,
  'tasks-required-task-error': noTasks,
  'tasks-mrtr-composition': noTasks,
  'completion-complete': 'the server declares no completions',
  'json-schema-2020-12': 'input schemas have no $schema, $defs, $ref or combinators, since some clients drop a tool, or all tools, that has them',
  'server-sse-polling': 'needs a tool that closes its own stream; streams are not resumable here, an answer that was lost is asked for again',
  'http-custom-header-server-validation': 'no tool has parameters that travel in headers',
}

// Single checks within scenarios that otherwise apply.
export const checksNotApplicable = {
  'sep-2575-server-rejects-undeclared-capability': 'no tool needs a capability of the client',
  'sep-2575-missing-capability-http-400': 'no tool needs a capability of the client',
}

// Scenarios that need none of the suite's own tools: the product itself is examined with them, too.
export const ofTheProduct = [
  'server-initialize', 'server-session-lifecycle', 'server-stateless', 'logging-set-level', 'ping', 'tools-list',
  'resources-list', 'resources-subscribe', 'resources-unsubscribe', 'sep-2164-resource-not-found', 'prompts-list',
  'dns-rebinding-protection', 'caching', 'http-header-validation',
]

// What the product lacks for single checks of those: the suite's diagnostic tools.
export const productChecksNotApplicable = {
  ...checksNotApplicable,
  'sep-2575-http-server-no-independent-requests-on-stream': 'needs a tool of the suite; examined with the fixture',
  'sep-2575-server-no-log-without-loglevel': 'needs a tool of the suite; examined with the fixture',
}
