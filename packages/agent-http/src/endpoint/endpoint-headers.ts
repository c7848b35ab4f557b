import { addHeaders } from '@agent-criteria/calls/agent-server';
import { CriteriaError } from '@agent-criteria/core';
import { fillText, placeholdersIn } from './template.ts';

/**
 * Fills `{{env.NAME}}` in headers.
 *
 * @throws CriteriaError INVALID_CONFIG that names every variable that is not set, and headers that are not allowed, but
 *   never a value.
 */
export function endpointHeaders(
  templates: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const unset = Object.entries(templates).flatMap(([header, template]) =>
    placeholdersIn(template)
      .map((name) => name.slice('env.'.length))
      .filter((name) => !environment[name])
      .map((name) => `the environment variable ${name} is not set: the header "${header}" of the agent needs it`),
  );
  if (unset.length > 0) {
    throw new CriteriaError(unset.map((message) => ({ code: 'INVALID_CONFIG', message })));
  }
  const headers: Record<string, string> = {};
  const filled = Object.entries(templates).map(([name, template]) => [
    name,
    fillText(template, (variable) => environment[variable.slice('env.'.length)]),
  ]);
  addHeaders(headers, 'headers', Object.fromEntries(filled));
  return headers;
}
