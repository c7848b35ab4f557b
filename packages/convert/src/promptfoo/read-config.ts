import { isObject } from '@agent-criteria/formats';
import type { Conversation } from '../conversation.ts';
import { lastTurnJudged } from '../criteria/last-turn-judged.ts';
import { type Fields, objectIn } from '../fields.ts';
import { asQuestion } from '../messages/as-question.ts';
import { readMessages } from '../messages/read-messages.ts';
import type { Reading } from '../reading.ts';
import { textOf } from '../templates/fill-template.ts';
import { criteriaOfTest } from './criteria-of-test.ts';
import { expandVars } from './expand-vars.ts';
import { type FileReferences, openFileReferences } from './file-references.ts';
import { TEST_KEYS } from './promptfoo-shapes.ts';
import { type PromptTemplate, readPrompts } from './read-prompts.ts';
import { readScenarios, readTests, withDefaults } from './read-tests.ts';
import { filledVars, readVars } from './read-vars.ts';
import { renderPrompt } from './render-prompt.ts';

/** The keys of a config that are read. */
const CONFIG_KEYS = ['$schema', 'description', 'prompts', 'tests', 'scenarios', 'defaultTest'];
/** The keys that say what is run, for which the agent takes its place. */
const RUN_KEYS = ['providers', 'targets'];
/** The keys of the options of a test that are read. */
const OPTION_KEYS = [
  'provider',
  'prefix',
  'suffix',
  'disableVarExpansion',
  'disableDefaultAsserts',
  'disableConversationVar',
  'runSerially',
];
/** The options of a test that are code. */
const CODE_KEYS = ['transform', 'postprocess', 'transformVars'];

/** Reads the cases of a config: each test with each prompt and each combination of values. */
export async function* readConfig(config: Fields, file: string, reading: Reading): AsyncGenerator<Conversation> {
  const lose = (what: string): void => reading.losses.add(what, file);
  const files = openFileReferences(file);
  for (const key of Object.keys(config)) {
    if (RUN_KEYS.includes(key)) lose(`"${key}" of the config, left out: the agent takes their place`);
    else if (!CONFIG_KEYS.includes(key)) lose(`the key "${key.slice(0, 60)}" of the config, left out`);
  }
  const prompts = await readPrompts(config.prompts, files, lose);
  const tests = [
    ...(await readTests(config.tests, files, lose)),
    ...(await readScenarios(config.scenarios, files, lose)),
  ];
  const defaults = await defaultTest(config.defaultTest, files, lose);
  const all = tests.length === 0 && config.tests === undefined && config.scenarios === undefined ? [{}] : tests;
  for (const [index, test] of all.entries()) {
    const place = { where: `${file}, test ${index + 1}`, name: `test ${index + 1}` };
    yield* readTest(withDefaults(defaults, test), prompts, files, place, reading);
  }
}

/** Reads the cases of a test: with each prompt, and with each combination of values. */
export async function* readTest(
  test: Fields,
  prompts: readonly PromptTemplate[],
  files: FileReferences,
  { where, name }: { readonly where: string; readonly name: string },
  reading: Reading,
): AsyncGenerator<Conversation> {
  const lose = (what: string): void => reading.losses.add(what, where);
  loseKeys(test, lose);
  const options = objectIn(test.options);
  const vars = await readVars(test.vars, files, lose);
  const combined = options.disableVarExpansion === true ? [vars] : expandVars(vars);
  if (combined === null) return lose('tests with more than 10,000 combinations of values, left out');
  const own = prompts.filter((prompt) => isFor(test.prompts, prompt));
  if (own.length === 0) lose('tests without a prompt, left out');
  const id = typeof test.description === 'string' && test.description.trim() !== '' ? test.description : name;
  const tags = tagsOf(test.metadata, lose);
  const isSeveral = own.length * combined.length > 1;
  for (const [index, values] of combined.entries()) {
    const named = index === 0 ? id : `${id}, values ${index + 1}`;
    const filled = filledVars(values, lose);
    for (const prompt of own) {
      const [prefix, suffix] = [options.prefix, options.suffix].map((part) => (typeof part === 'string' ? part : ''));
      const rendered = await renderPrompt(`${prefix}${prompt.text}${suffix}`, filled);
      if ('problem' in rendered) {
        lose(`tests whose prompt cannot be filled, left out: ${rendered.problem}`);
        continue;
      }
      for (const path of rendered.missing)
        lose(`the variable {{ ${path.slice(0, 60)} }}, which has no value, filled with nothing`);
      const { providerOutput: output } = test;
      const answer = output === undefined || output === '' ? [] : [{ role: 'assistant', content: textOf(output) }];
      const { turns } = readMessages([...asQuestion(rendered.messages, lose), ...answer], { onLoss: lose });
      if (turns.length === 0 || (turns[0]?.userContent.parts ?? []).length === 0) {
        lose('tests whose prompt is empty, left out');
        continue;
      }
      const { criteria, reference } = await criteriaOfTest(test, filled, files, lose, reading);
      yield {
        id: own.length === 1 ? named : `${named} (${prompt.label})`,
        where,
        ...lastTurnJudged(turns, reference),
        criteria,
        ...(isSeveral ? { group: id } : {}),
        ...(tags.length === 0 ? {} : { tags }),
      };
    }
  }
}

async function defaultTest(written: unknown, files: FileReferences, lose: (what: string) => void): Promise<Fields> {
  if (typeof written !== 'string') return objectIn(written);
  const read = await files.value(written);
  if ('value' in read) return objectIn(read.value);
  lose(`the default test in another file, left out: ${read.problem}`);
  return {};
}

/** Lists the keys of a test that have no place in a case. */
function loseKeys(test: Fields, lose: (what: string) => void): void {
  for (const key of Object.keys(test)) {
    if (!TEST_KEYS.includes(key)) lose(`the key "${key.slice(0, 60)}" of tests, left out`);
  }
  if (test.provider !== undefined || test.providers !== undefined)
    lose('providers of tests, left out: the agent takes their place');
  if (test.threshold !== undefined) lose('thresholds of tests, left out: every criterion has to pass');
  if (test.repeat !== undefined) lose('repeats of tests, left out: ask for them with --repeats');
  if (test.assertScoringFunction !== undefined) lose('scoring functions, which are code, never run');
  for (const [key, value] of Object.entries(objectIn(test.options))) {
    if (CODE_KEYS.includes(key)) lose(`"${key}" of tests, which is code, never run: the answer itself is judged`);
    else if (!OPTION_KEYS.includes(key) && value !== undefined)
      lose(`the option "${key.slice(0, 60)}" of tests, left out`);
  }
}

/** Whether a test is for a prompt: a test without a list of prompts is for all. */
function isFor(listed: unknown, { label }: PromptTemplate): boolean {
  if (!Array.isArray(listed)) return true;
  return listed.some(
    (one) => typeof one === 'string' && (one === label || (one.endsWith('*') && label.startsWith(one.slice(0, -1)))),
  );
}

/** Writes metadata as tags, such as `topic=refunds`, because both select tests. */
export function tagsOf(metadata: unknown, lose: (what: string) => void): readonly string[] {
  return Object.entries(objectIn(metadata)).flatMap(([key, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((one) => {
      if (isObject(one) || Array.isArray(one) || one === null || one === undefined) {
        lose(`the metadata "${key.slice(0, 60)}", which is not a text, left out`);
        return [];
      }
      return [`${key}=${textOf(one)}`.slice(0, 200)];
    });
  });
}
