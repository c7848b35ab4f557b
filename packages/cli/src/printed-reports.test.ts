// Long: runs many commands.
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { formats } from './report-file.ts';

/** Commands of CI services, sequences that a terminal obeys, and text with a meaning in one of the formats. */
const PIECES = [
  ...['::stop-commands::t', '::add-mask::x', ':', '::', '##[error]x', '##vso[task.complete]', "##teamcity[x 'y']", '#'],
  ...[
    '\n',
    '\n',
    '\r',
    '\r\n',
    '\t',
    ' ',
    '\u00a0',
    '\ufeff',
    '\u001b[2J',
    '\u001b]0;t\u0007',
    '\0',
    '\b',
    '\u009b31m',
    '\u2028',
  ],
  ...[
    '\u202e',
    'section_start:1:a\r\u001b[0K',
    '---',
    '+++ x',
    '"',
    ',',
    "'",
    '=1+1',
    '`',
    '|',
    '<!--',
    ']]>',
    '</title>',
    '&',
    'word',
  ],
];
const hostile = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));

/** Finds the commands in printed text that a CI service or a terminal would obey, apart from our own colours. */
function obeyed(text: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
  const plain = text.replaceAll(/\u001b\[[0-9;]*m/g, '').replaceAll('\r\n', '\n');
  return plain.split('\n').flatMap((line) => {
    // GitHub accepts a command after blanks, Azure Pipelines and TeamCity anywhere in a line.
    const found = /^[\s\ufeff]*::|##(?:vso|teamcity)?\[|[^\P{Cc}\t]|\p{Bidi_Control}|[\u2028\u2029]/u.exec(line);
    return found === null ? [] : [line.slice(Math.max(0, found.index - 10), found.index + 40)];
  });
}

it.each([
  ['in a CI log', { environment: { CI: 'true', GITHUB_ACTIONS: 'true' } }],
  ['on a terminal', { color: true, width: { out: 80, err: 80 } }],
] as const)('printed reports contain nothing that a CI service or a terminal would obey: %s', async (_where, io) => {
  await fc.assert(
    fc.asyncProperty(
      hostile,
      fc.uniqueArray(hostile, { minLength: 2, maxLength: 2 }),
      hostile,
      async (setId, ids, text) => {
        const folder = folderOf({
          'agent.mjs':
            'export const agent = (text) => ({ text, toolCalls: [{ name: text, args: { [text]: text } }] });',
          's.evalset.json': evalSet(setId, ...ids.map((id) => evalCase(id, turn(text, `not ${text}`)))),
          'test_config.json': { criteria: { response_match_score: 1, tool_trajectory_avg_score: 1 } },
        });
        const command = (...args: string[]) => capture([...args, '--runs_folder', join(folder, 'runs')], io);
        const ran = await command('eval', folder);
        expect([ran.code, obeyed(ran.out), obeyed(ran.err)]).toEqual([1, [], []]);
        for (const format of formats) {
          const { code, out, err } = await command('report', '--format', format);
          expect([format, code, obeyed(out), obeyed(err)]).toEqual([format, 0, [], []]);
        }
        for (const args of [['show'], ['show', '--json'], ['runs'], ['runs', '--json'], ['compare', 'last', 'last']]) {
          const { out, err } = await command(...args);
          expect([args, obeyed(out), obeyed(err)]).toEqual([args, [], []]);
        }
      },
    ),
    { numRuns: runs(40) },
  );
});
