import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CriteriaError,
  createRegistry,
  type JsonSchema,
  knownCriteria,
  migrateEvalData,
  parseEvalSet,
  resolveEvalConfig,
} from '@agent-criteria/core';
import { scriptedModel } from '@agent-criteria/core/testing';
import { hallucinations } from '@agent-criteria/criteria-hallucination/pure';
import {
  finalResponseMatch,
  finalResponseQuality,
  multiTurnTrajectoryQuality,
  toolUseQuality,
} from '@agent-criteria/criteria-llm-judge/pure';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { loadProjectConfig } from '@agent-criteria/runner/load';
import { afterAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { commandFlags } from '../packages/cli/src/command-flags.ts';

// What TypeScript snippets print is tested with those of the READMEs. Here: JSON blocks, commands, links, and that the
// reference of eval sets says something of every field.

const root = fileURLToPath(new URL('..', import.meta.url));
const guide = join(root, 'docs', 'guide');
const examples = readdirSync(join(root, 'examples')).map((name) => `../../examples/${name}/README.md`);
const pages = [...readdirSync(guide), ...examples, '../../README.md'].map((page) => ({
  page: relative(root, join(guide, page)).replaceAll('\\', '/'),
  file: join(guide, page),
  text: readFileSync(join(guide, page), 'utf8'),
}));

interface Block {
  readonly name: string;
  /** What stands behind the language: how the block is read. */
  readonly kind: string;
  readonly body: string;
}

function blocks(language: string): Block[] {
  return pages.flatMap(({ page, text }) =>
    Array.from(text.matchAll(/^```(\w+)(?: ([\w-]+))?\n(.*?)^```$/gms))
      .filter(([, found]) => found === language)
      .map(([, , kind = '', body = ''], index) => ({ name: `${page} ${language} ${index + 1}`, kind, body })),
  );
}

describe('JSON blocks', () => {
  const criteria = [
    ...[toolTrajectory, responseMatch, hallucinations],
    ...[finalResponseMatch, finalResponseQuality, toolUseQuality, multiTurnTrajectoryQuality],
  ];
  // A rubric of each type: the configs that show defaults have none of their own.
  const rubrics = ['FINAL_RESPONSE_QUALITY', 'TOOL_USE_QUALITY', 'TRAJECTORY_QUALITY'].map((type) => ({
    ...{ rubric_id: type, rubric_content: { text_property: 'It is.' }, type },
  }));
  const oneTurn = { eval_set_id: 'set', eval_cases: [{ eval_id: 'case', conversation: [turn({})], rubrics }] };
  const read: Record<string, (value: unknown) => void | Promise<void>> = {
    '': () => undefined,
    'eval-set': (value) => void parseEvalSet(value),
    'eval-config': (config) => {
      const evalSet = parseEvalSet(oneTurn).value;
      const plan = resolveEvalConfig({
        evalSet,
        config,
        registry: createRegistry(criteria),
        models: () => scriptedModel([]),
      });
      expect(plan.warnings).toEqual([]);
    },
    'project-config': async (value) => {
      const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-config-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'agent-criteria.config.json');
      writeFileSync(file, JSON.stringify(value));
      expect((await loadProjectConfig(file)).warnings).toEqual([]);
    },
    'old-test': (value) => expect(migrateEvalData(value).format).toBe('old-test'),
  };

  it.each(blocks('json'))('$name is read as what it is ($kind)', async ({ kind, body }) => {
    expect(Object.keys(read)).toContain(kind);
    await read[kind]?.(JSON.parse(body));
  });

  it('are there', () => {
    expect(new Set(blocks('json').map(({ kind }) => kind))).toEqual(new Set(Object.keys(read)));
  });
});

describe('commands', () => {
  const lines = blocks('sh').flatMap(({ name, body }) =>
    body
      .split('\n')
      .filter((line) => line.includes('agent-criteria ') && !line.includes(' COMMAND '))
      .map((line) => ({ name, line })),
  );

  it.each(lines)('$name: $line', ({ line }) => {
    const [, after = ''] = line.split(/agent-criteria (?=\w)/);
    const [first = '', second = ''] = after.split(' ');
    const command = `${first} ${second}` in commandFlags ? `${first} ${second}` : first;
    expect(Object.keys(commandFlags)).toContain(command);
    const flags = commandFlags[command as keyof typeof commandFlags];
    for (const [flag] of after.matchAll(/--\w[\w-]*/g))
      expect(Object.keys(flags)).toContain(flag.slice(2).replaceAll('-', '_'));
  });

  it('are there', () => {
    expect(lines.length).toBeGreaterThan(10);
  });
});

describe('links', () => {
  const links = pages.flatMap(({ page, file, text }) =>
    Array.from(text.replaceAll(/^```.*?^```$/gms, '').matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => ({
      page,
      file,
      link,
    })).filter(({ link }) => !/^https?:/.test(link)),
  );

  it.each(links)('$page: $link', ({ file, link }) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    expect(existsSync(target)).toBe(true);
    if (anchor !== undefined) expect(anchors(readFileSync(target, 'utf8'))).toContain(anchor);
  });

  it('lead from the front page of the guide to every other page', () => {
    const own = links.filter(({ page }) => page === 'docs/guide/README.md').map(({ link }) => link);
    for (const page of readdirSync(guide)) if (page !== 'README.md') expect(own).toContain(page);
  });
});

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(text: string): string[] {
  const headings = text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it('the guide to criteria maps wishes to the criteria that it then describes, each of them once', () => {
  const text = pages.find(({ page }) => page.endsWith('choose-criteria.md'))?.text ?? '';
  const [start = '', comparison = '', judged = ''] = text.split(/^## /m);
  const named = (part: string) =>
    knownCriteria.filter(({ name }) => part.includes(`| \`${name}\``)).map(({ name }) => name);
  const [compared, asked] = [false, true].map((by) =>
    knownCriteria.filter((known) => known.judgedByModel === by).map(({ name }) => name),
  );
  expect(named(comparison)).toEqual(compared);
  for (const name of named(judged)) expect(asked).toContain(name);
  expect([...start.matchAll(/`(\w+_\w+)`/g)].map(([, name]) => name)).toEqual([...named(comparison), ...named(judged)]);
});

it('every key of agent-criteria.config.ts has a row', () => {
  const text = pages.find(({ page }) => page.endsWith('project-config.md'))?.text ?? '';
  const source = readFileSync(join(root, 'packages/runner/src/load/define-config.ts'), 'utf8');
  const keys = Array.from(source.matchAll(/^ {2}readonly (\w+)\?:/gm), ([, key]) => key);
  expect(keys.length).toBeGreaterThan(10);
  expect(Array.from(text.matchAll(/^\| `(\w+)`/gm), ([, key]) => key).toSorted()).toEqual(keys.toSorted());
});

describe('the first score, as its page tells it', () => {
  const page = 'docs/guide/first-score.md';
  const own = (language: string, kind = '') =>
    blocks(language).find((block) => block.name.startsWith(page) && block.kind === kind)?.body ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-first-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const evaluate = () => {
    const bin = join(root, 'packages/cli/src/bin.ts');
    const args = ['eval', './agent.ts', './rooms.evalset.json'];
    const node = ['--conditions=@agent-criteria/source', '--no-warnings', bin, ...args];
    return spawnSync(process.execPath, node, { cwd: folder, encoding: 'utf8' });
  };

  it('fails by the default threshold, and passes by the config that the page gives', () => {
    writeFileSync(join(folder, 'agent.ts'), own('ts'));
    writeFileSync(join(folder, 'rooms.evalset.json'), own('json', 'eval-set'));
    const strict = evaluate();
    expect(strict.status, strict.stderr).toBe(1);
    expect(strict.stdout).toContain('0.666');
    writeFileSync(join(folder, 'test_config.json'), own('json', 'eval-config'));
    const mild = evaluate();
    expect(mild.status, mild.stdout).toBe(0);
  });
});

describe('the reference of eval sets', () => {
  const text = pages.find(({ page }) => page.endsWith('eval-set-reference.md'))?.text ?? '';
  const schema: JsonSchema = JSON.parse(readFileSync(join(root, 'packages/core/schemas/eval-set.schema.json'), 'utf8'));
  const models = { EvalSet: schema, ...(schema.$defs as Record<string, JsonSchema>) };

  test.each(Object.entries(models))('%s: every field has a meaning, a default and an example', (name, model) => {
    const rows = fieldRows(text, name);
    const properties = model.properties as Record<string, JsonSchema>;
    const fields = Object.keys(properties).filter((key) => key === toSnake(key));
    expect(rows.map(({ field }) => field)).toEqual(fields);
    for (const { field, meaning, fallback, example } of rows) {
      expect(meaning, field).toMatch(/\w.*[.`]$/);
      expect(fallback === 'required', field).toBe(requiredOf(model).has(field));
      expect(fallback, field).not.toBe('');
      const value: unknown = JSON.parse(example);
      // What is inside an object that has no section of its own must be seen in the example.
      for (const inner of keysInside(properties[field])) expect(example, field).toContain(`"${inner}"`);
      const set = inSet[name]?.({ [field]: value });
      expect(readable(set), `${name}.${field}: ${example}`).toBe('');
    }
  });
});

/** What is wrong with a set; nothing when it is read without a word. */
function readable(set: unknown): string {
  try {
    return parseEvalSet(set)
      .warnings.map(({ message }) => message)
      .join();
  } catch (error) {
    if (CriteriaError.is(error)) return error.message;
    throw error;
  }
}

/** The fields without which an object is refused: one rule for each, which names its two spellings. */
function requiredOf({ required, allOf }: JsonSchema): Set<string> {
  const rules = (Array.isArray(allOf) ? allOf : []).map(({ anyOf }: JsonSchema) =>
    (Array.isArray(anyOf) ? anyOf : []).flatMap((one: JsonSchema) => one.required as string[]),
  );
  const alone = rules.filter((keys) => new Set(keys.map(toSnake)).size === 1);
  return new Set([...((required as string[] | undefined) ?? []), ...alone.flat()].map(toSnake));
}

function keysInside(schema: JsonSchema | undefined): string[] {
  const options = [schema, ...(Array.isArray(schema?.anyOf) ? (schema.anyOf as JsonSchema[]) : [])];
  return options.flatMap((one) => Object.keys((one?.properties ?? {}) as object).filter((key) => key === toSnake(key)));
}

function fieldRows(text: string, section: string) {
  const [body = ''] = text.split(`\n## ${section}\n`)[1]?.split(/^## /m) ?? [];
  const lines = body.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) => {
    const [field = '', meaning = '', fallback = '', example = ''] = line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    return { field: field.replaceAll('`', ''), meaning, fallback, example: example.replaceAll(/^`|`$/g, '') };
  });
}

function toSnake(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Wrap = (fields: Record<string, unknown>) => unknown;

function turn(fields: Record<string, unknown>): Record<string, unknown> {
  return { user_content: { parts: [{ text: 'Hi' }] }, final_response: { parts: [{ text: 'Hi' }] }, ...fields };
}

/** A whole set around an object of each model, with what is required there. */
const inSet: Readonly<Record<string, Wrap>> = {
  EvalSet: (fields) => ({ eval_set_id: 'set', eval_cases: [{ eval_id: 'case', conversation: [turn({})] }], ...fields }),
  EvalCase: (fields) => {
    const conversation = 'conversation_scenario' in fields ? {} : { conversation: [turn({})] };
    return { eval_set_id: 'set', eval_cases: [{ eval_id: 'case', ...conversation, ...fields }] };
  },
  SessionInput: (fields) => inSet.EvalCase?.({ session_input: { app_name: 'app', user_id: 'user', ...fields } }),
  Invocation: (fields) => inSet.EvalCase?.({ conversation: [turn(fields)] }),
  IntermediateData: (fields) => inSet.Invocation?.({ intermediate_data: fields }),
  InvocationEvents: (fields) => inSet.Invocation?.({ intermediate_data: fields }),
  InvocationEvent: (fields) => inSet.InvocationEvents?.({ invocation_events: [{ author: 'agent', ...fields }] }),
  Content: (fields) => inSet.Invocation?.({ final_response: fields }),
  Part: (fields) => inSet.Content?.({ parts: [fields] }),
  FunctionCall: (fields) => inSet.IntermediateData?.({ tool_uses: [{ name: 'tool', ...fields }] }),
  FunctionResponse: (fields) => inSet.IntermediateData?.({ tool_responses: [{ name: 'tool', ...fields }] }),
  Rubric: (fields) => {
    const rubric = { rubric_id: 'id', rubric_content: { text_property: 'It is.' }, ...fields };
    return inSet.EvalCase?.({ rubrics: [rubric] });
  },
  AppDetails: (fields) => inSet.Invocation?.({ app_details: fields }),
  AgentDetails: (fields) => inSet.AppDetails?.({ agent_details: { agent: { name: 'agent', ...fields } } }),
  ConversationScenario: (fields) => {
    const scenario = { starting_prompt: 'Hi', conversation_plan: 'Go on.', ...fields };
    return inSet.EvalCase?.({ conversation_scenario: scenario });
  },
  UserPersona: (fields) => {
    const user_persona = { id: 'ID', description: 'Somebody.', behaviors: [], ...fields };
    return inSet.ConversationScenario?.({ user_persona });
  },
  UserBehavior: (fields) => {
    const behavior = { name: 'n', description: 'd', behavior_instructions: [], violation_rubrics: [], ...fields };
    return inSet.UserPersona?.({ behaviors: [behavior] });
  },
};
