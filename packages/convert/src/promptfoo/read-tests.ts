import { isObject } from '@agent-criteria/formats';
import { type Fields, objectIn, objectsIn } from '../fields.ts';
import type { FileReferences } from './file-references.ts';
import { isPromptfooRow } from './promptfoo-shapes.ts';
import { testOfRow } from './test-of-row.ts';

/** Reads tests: a list, the file that holds them, or a list of both. */
export async function readTests(
  written: unknown,
  files: FileReferences,
  lose: (what: string) => void,
): Promise<readonly Fields[]> {
  const all: Fields[] = [];
  for (const one of Array.isArray(written) ? written : [written]) {
    if (typeof one === 'string') all.push(...(await testsOfFile(one, files, lose)));
    else if (isObject(one) && typeof one.path === 'string') {
      lose('tests that code makes ("path"), which is never run, left out');
    } else if (isObject(one)) all.push(one);
    else if (one !== undefined && one !== null) lose('tests that are neither objects nor files, left out');
  }
  return all;
}

async function testsOfFile(
  reference: string,
  files: FileReferences,
  lose: (what: string) => void,
): Promise<readonly Fields[]> {
  const read = await files.records(reference);
  if ('problem' in read) {
    lose(`tests in another file, left out: ${read.problem}`);
    return [];
  }
  const isTable = /\.[ct]sv$/i.test(reference);
  return objectsIn(read.value).map((record) => (isTable || isPromptfooRow(record) ? testOfRow(record, lose) : record));
}

/** Combines the parts of a scenario: each of its data with each of its tests. */
export async function readScenarios(
  written: unknown,
  files: FileReferences,
  lose: (what: string) => void,
): Promise<readonly Fields[]> {
  const all: Fields[] = [];
  for (const one of Array.isArray(written) ? written : []) {
    if (!isObject(one)) {
      lose('scenarios in other files, left out');
      continue;
    }
    const [data, tests] = [await readTests(one.config, files, lose), await readTests(one.tests, files, lose)];
    for (const before of data)
      for (const test of tests.length === 0 ? [{}] : tests) all.push(withDefaults(before, test));
  }
  return all;
}

/** Returns a test with what it takes from the default test: variables, assertions, options and metadata are combined. */
export function withDefaults(defaults: Fields, test: Fields): Fields {
  const options = { ...objectIn(defaults.options), ...objectIn(test.options) };
  const asserts = options.disableDefaultAsserts === true ? [] : [defaults.assert];
  const assert = [...asserts, test.assert].flatMap((one) => (one === undefined || one === null ? [] : one));
  return {
    ...defaults,
    ...test,
    vars: varsOf(defaults.vars, test.vars),
    assert,
    options,
    metadata: { ...objectIn(defaults.metadata), ...objectIn(test.metadata) },
  };
}

/** Variables may also be the name of a file of them, or several names. */
function varsOf(defaults: unknown, own: unknown): unknown {
  if (isObject(defaults) && isObject(own)) return { ...defaults, ...own };
  const all = [defaults, own].filter((one) => one !== undefined && one !== null);
  return all.length <= 1 ? (all[0] ?? {}) : all.flat();
}
