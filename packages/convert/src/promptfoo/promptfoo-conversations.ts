import { isObject } from '@agent-criteria/formats';
import type { Conversation } from '../conversation.ts';
import { objectIn } from '../fields.ts';
import { placeOf, type SourceRecord } from '../input/source-record.ts';
import { type Reading, refuse } from '../reading.ts';
import { type FileReferences, openFileReferences } from './file-references.ts';
import {
  isPromptfooConfig,
  isPromptfooOutput,
  isPromptfooResult,
  isPromptfooRow,
  isPromptfooTest,
} from './promptfoo-shapes.ts';
import { readConfig, readTest } from './read-config.ts';
import { readResult } from './read-result.ts';
import { resultNames } from './result-names.ts';
import { testOfRow } from './test-of-row.ts';

/** Reads promptfoo's configs, files of tests, and files of results. */
export async function* promptfooConversations(
  records: AsyncIterable<SourceRecord>,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  const files = openFileReferences(file);
  const oneByOne = resultNames(null);
  let count = 0;
  for await (const { value, line } of records) {
    if (!reading.where(value)) continue;
    const where = placeOf(file, line);
    const wrong = (message: string): void =>
      refuse(reading, [{ code: 'INVALID_DATA', file, path: `line ${line}`, message }], where);
    count += 1;
    if (isPromptfooOutput(value)) {
      const all = value.results.results;
      // The repeats of several files cannot be told apart.
      const name = reading.options.files.length === 1 ? resultNames(all) : oneByOne;
      for (const [index, result] of all.entries()) {
        const place = `${file}, result ${index + 1}`;
        const read = isObject(result)
          ? await readResult(result, place, files, name, reading)
          : 'this result is not an object';
        if (typeof read === 'string') wrong(`result ${index + 1}: ${read}`);
        else yield read;
      }
    } else if (isPromptfooResult(value)) {
      const read = await readResult(value, where, files, oneByOne, reading);
      if (typeof read === 'string') wrong(read);
      else yield read;
    } else if (isPromptfooConfig(value)) yield* readConfig(value, file, reading);
    else if (isObject(value) && (isPromptfooRow(value) || !isPromptfooTest(value))) {
      const test = testOfRow(value, (what) => reading.losses.add(what, where));
      yield* alone(test, { where, name: `test ${count}` }, files, reading, wrong);
    } else if (isPromptfooTest(value)) yield* alone(value, { where, name: `test ${count}` }, files, reading, wrong);
    else
      wrong(
        'this is nothing of promptfoo: neither a config with "prompts" and "tests", nor a test with "vars", nor a result',
      );
  }
}

/** Reads a test of a file that has no prompts. Its message is the variable "prompt", or its only variable. */
async function* alone(
  test: Readonly<Record<string, unknown>>,
  place: { readonly where: string; readonly name: string },
  files: FileReferences,
  reading: Reading,
  wrong: (message: string) => void,
): AsyncGenerator<Conversation> {
  const names = Object.keys(objectIn(test.vars));
  const name = names.includes('prompt') || names.length !== 1 ? 'prompt' : (names[0] ?? '');
  if (!names.includes(name)) {
    wrong(
      'this test has no prompt, and several variables: import the config that names its file, which has the prompts',
    );
    return;
  }
  const vars = { ...objectIn(test.vars), prompt: objectIn(test.vars)[name] };
  yield* readTest({ ...test, vars }, [{ label: 'prompt 1', text: '{{ prompt }}' }], files, place, reading);
}
