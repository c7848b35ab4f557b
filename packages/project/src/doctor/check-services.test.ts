import { defineCriterion, noOptions } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { expect, test } from 'vitest';
import { checkServices } from './check-services.ts';

function asking(name: string, key: string) {
  return defineCriterion({
    name,
    origin: { package: 'test', version: '1.0.0' },
    description: 'for this test',
    decides: true,
    range: { min: 0, max: 1, better: 'higher' },
    options: noOptions,
    scope: 'turn',
    access: (_options, environment) => ({
      service: 'a service',
      credentials: environment[key] === undefined ? null : key,
      problems: environment[key] === undefined ? [{ code: 'MISSING_ENVIRONMENT', message: `set ${key}` }] : [],
    }),
    evaluate: () => ({ value: 1 }),
  });
}

test('checkServices lists each service once, with every criterion that uses it', () => {
  const plan = resolveEvalConfig({
    evalSet: evalSet([evalCase('case', [{ user: 'Hello' }])]),
    config: { criteria: { one: 1, two: 1, three: 1 } },
    registry: createRegistry([asking('one', 'A_KEY'), asking('two', 'A_KEY'), asking('three', 'B_KEY')]),
    modelsRecorded: true,
  });
  const environment = { files: [], inFiles: [], warnings: [], variables: { A_KEY: 'secret' } };
  expect(checkServices([plan, plan], { environment }, false)).toEqual([
    { service: 'a service', credentials: 'A_KEY', askedBy: ['one', 'two'], recorded: false, usable: true },
    { service: 'a service', credentials: null, askedBy: ['three'], recorded: false, usable: false },
  ]);
});
