import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, startFakeGemini } from '@agent-criteria/test-servers';
import { root } from '../artefacts/pack.ts';
import { mistakesByProcess } from './mistakes.ts';
import { blockOf, fromPage } from './page.ts';
import type { Project } from './project.ts';

// A new user's first steps, following the guide's pages. Each scenario starts in an empty folder.

const CLI = '@agent-criteria/cli';
const STUDIO = '@agent-criteria/studio';
const TYPESCRIPT = ['typescript@^5.9.3', '@types/node@^20.19.0'];

/** A strict tsconfig. */
const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  },
});

/** Throws with both lists unless they are equal. */
function expectSame(actual: readonly string[], expected: readonly string[], what: string): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`${what}\nare         ${actual.join(', ')}\nshould be   ${expected.join(', ')}`);
}

/** Tests that the runner and one criterion install only what they need. */
async function selectiveInstall(project: Project): Promise<string> {
  await project.install(['@agent-criteria/runner', '@agent-criteria/criteria-rouge']);
  const needed = ['calls', 'core', 'criteria-rouge', 'formats', 'masking', 'results', 'runner'].map(
    (name) => `@agent-criteria/${name}`,
  );
  // The adapters for agents behind a URL, which share calls, read streams with it.
  const all = [...needed, 'eventsource-parser'];
  expectSame(project.installed(), all, 'the installed packages');
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, example = ''] = /^```ts\n(import \{ responseMatch \}[\s\S]*?)^```$/m.exec(readme) ?? [];
  project.write({ 'evaluate.mjs': example });
  await project.node('evaluate.mjs', { code: 0, says: ['passed 0.923076923076923'] });
  return `${all.length} packages, and the example of the front page passes`;
}

/** Tests the command: installed, initialised, run, checked. */
async function command(project: Project): Promise<string> {
  await project.install([CLI, STUDIO], TYPESCRIPT);
  const strangers = project
    .installed()
    .filter((name) => /google|openai|anthropic|ai-sdk|vitest|criteria-(llm|hall|safety|vertex)/.test(name));
  expectSame(strangers, [], 'the SDKs and judges that came along');

  await project.started('agent-criteria --version', { code: 0, says: [/^\d+\.\d+\.\d+/m] });
  await project.run('agent-criteria init', { code: 0, says: ['agent.ts', 'test_config.json', 'package.json'] });
  for (const file of ['test_config.json', 'workshop.evalset.json']) {
    const { $schema } = JSON.parse(project.read(file));
    if (!existsSync(join(project.folder, $schema))) throw new Error(`${file} names ${$schema}, which is not there`);
  }
  for (const [owner, name] of [
    ['core', 'eval-set'],
    ['core', 'eval-config'],
    ['project', 'agent-criteria.config'],
  ]) {
    const own = readFileSync(join(root, 'packages', `${owner}`, 'schemas', `${name}.schema.json`), 'utf8');
    const file = `node_modules/${CLI}/schemas/${name}.schema.json`;
    if (project.read(file) !== own) throw new Error(`${file} is not that of ${owner}`);
  }
  project.write({ 'tsconfig.json': tsconfig });
  await project.run('tsc -p .', { code: 0 });
  await project.run('agent-criteria eval .', { code: 0, says: ['3 passed'] });
  await project.run('agent-criteria validate .', { code: 0 });
  await project.run('agent-criteria doctor . --offline', { code: 0 });
  await project.run('agent-criteria report --output report.html', { code: 0 });

  // The mistake that `init` suggests trying.
  project.write({ 'agent.ts': project.read('agent.ts').replace('from 10:00 to 14:00', 'in the morning') });
  await project.run('agent-criteria eval .', { code: 1, says: ['open_on_saturday', '2 passed', '1 failed'] });
  const pasted = project.manager === 'npm';
  if (pasted) await pasteFrontPages(project);
  return `init, eval, validate, doctor and report work; its schemas are there; a mistake fails${pasted ? '; what the front pages show can be pasted' : ''}`;
}

/** Tests the first blocks of the front page and of the command's README, except the installation. They are for npm. */
async function pasteFrontPages(project: Project): Promise<void> {
  const install = `npm install --save-dev ${CLI} ${STUDIO}\n`;
  const front = blockOf('README.md', 'sh', 'agent-criteria init');
  if (!front.startsWith(install)) throw new Error(`the block does not begin with ${install}${front}`);
  const says = ['\n  cd my-agent\n  npx agent-criteria eval .\n', '3 passed'];
  await project.paste(front.slice(install.length), { code: 0, says });
  const use = blockOf('packages/cli/README.md', 'sh', 'agent-criteria init').replaceAll('my-agent', 'my-second-agent');
  await project.paste(use, { code: 0, says: ['3 passed', '1 passed', 'Written: report.html'] });
}

/** Tests that the command's unscoped package has the same exports and the same schemas. */
async function bareName(project: Project): Promise<string> {
  await project.install(['agent-criteria']);
  await project.run('agent-criteria init', { code: 0 });
  const { $schema } = JSON.parse(project.read('test_config.json'));
  if (!existsSync(join(project.folder, $schema))) throw new Error(`it names ${$schema}, which is not there`);
  project.write({
    'agent-criteria.config.ts': `import { defineConfig } from 'agent-criteria';\n\nexport default defineConfig({ repeats: 2 });\n`,
  });
  await project.run('agent-criteria eval .', { code: 0, says: ['3 passed'] });
  return 'init, a config and eval work';
}

/** Tests a custom agent from the page about the first score, and a criterion with options from its page. */
async function ownAgentAndCriterion(project: Project): Promise<string> {
  await project.install([CLI], TYPESCRIPT);
  project.write({
    'tsconfig.json': tsconfig,
    'agent.ts': fromPage('first-score.md', 'ts', 'rootAgent'),
    'rooms.evalset.json': fromPage('first-score.md', 'json', 'eval_set_id'),
  });
  await project.run('agent-criteria eval ./agent.ts ./rooms.evalset.json', { code: 1, says: ['kitchen', '1 failed'] });
  project.write({ 'test_config.json': fromPage('first-score.md', 'json', '"criteria"') });
  await project.run('agent-criteria eval ./agent.ts ./rooms.evalset.json', { code: 0, says: ['1 passed'] });

  const judged = JSON.parse(fromPage('write-a-criterion.md', 'json', 'short_answer'));
  project.write({
    'short-answer.ts': fromPage('write-a-criterion.md', 'ts', 'shortAnswer'),
    'names-degrees.ts': fromPage('write-a-criterion.md', 'ts', 'namesDegrees'),
    'agent-criteria.config.ts': `import { defineConfig } from '${CLI}';\n\nexport default defineConfig({ repeats: 2 });\n`,
    'test_config.json': JSON.stringify(judged),
  });
  await project.run('tsc -p .', { code: 0 });
  const line = 'agent-criteria eval ./agent.ts ./rooms.evalset.json';
  await project.run(line, { code: 0, says: ['short_answer', '1 passed'] });
  judged.criteria.short_answer.max_words = 3;
  project.write({ 'test_config.json': JSON.stringify(judged) });
  await project.run(line, { code: 1, says: ['the limit is 3', '1 failed'] });
  judged.criteria.short_answer = { threshold: 1, max_wrods: 3 };
  project.write({ 'test_config.json': JSON.stringify(judged) });
  await project.run(line, { code: 2, says: ['max_wrods'] });
  return 'the guide’s agent and its criterion pass, fail and refuse a slip as they should; all types are right';
}

/** Tests an `@google/adk` agent whose model is a server that behaves like Gemini. */
async function adkAgent(project: Project): Promise<string> {
  await project.install([CLI, '@agent-criteria/agent-adk'], ['@google/adk@^2.0.0', 'zod@^4.2.1']);
  project.write({
    'agent.ts': fromPage('evaluate-an-adk-agent.md', 'typescript', 'town_guide'),
    'town.evalset.json': fromPage('evaluate-an-adk-agent.md', 'json', '"town"'),
    'test_config.json': fromPage('evaluate-an-adk-agent.md', 'json', '"criteria"'),
  });
  const call = { functionCall: { name: 'opening_hours', args: { place: 'library' } } };
  const looksUp = { candidates: [{ content: { role: 'model', parts: [call] }, finishReason: 'STOP' }] };
  let calls = 0;
  const answer: Answer = () => (calls++ % 2 === 0 ? { status: 200, body: looksUp } : 'It is open from 9 to 18.');
  const server = await startFakeGemini({ answer });
  try {
    const environment = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: server.url };
    const line = 'agent-criteria eval ./agent.ts town.evalset.json';
    await project.run(line, { code: 0, says: ['1 passed'], environment });
    if (server.requests.length !== 2) throw new Error(`its model was asked ${server.requests.length} times, not twice`);
  } finally {
    await server.close();
  }
  await project.run('agent-criteria init desk', { code: 0, says: ['agent.ts'] });
  await project.run('agent-criteria eval desk', { code: 0, says: ['3 passed', /agent: 7 calls, [\d,]+ tokens in/] });
  return 'the guide’s agent looks up and answers, by ADK’s own client; init writes one that passes';
}

/** Tests a project of the AI SDK, from `init` to a report with tokens and cost, beside its code and without any. */
async function aiSdkAgent(project: Project): Promise<string> {
  await project.install([CLI, STUDIO, '@agent-criteria/agent-ai-sdk'], ['ai@^6.0.326', ...TYPESCRIPT]);
  await project.run('agent-criteria init', { code: 0, says: ['agent.ts', 'Next:\n  npx agent-criteria eval .'] });
  project.write({ 'tsconfig.json': tsconfig.replace('"noEmit"', '"skipLibCheck":true,"noEmit"') });
  await project.run('tsc -p .', { code: 0 });
  await project.run('agent-criteria eval .', {
    code: 0,
    says: ['3 passed', /agent: 7 calls, [\d,]+ tokens in, [\d,]+ out/],
  });
  const prices = { 'scripted-model': { inputTokens: 0.000001, outputTokens: 0.000004 } };
  project.write({
    'agent-criteria.config.json': JSON.stringify({ prices }),
    'test_config.json': JSON.stringify({ criteria: { tool_trajectory_avg_score: 1, max_turn_cost: 0.01 } }),
  });
  await project.run('agent-criteria eval .', {
    code: 0,
    says: ['3 passed', /max_turn_cost +verdict/, /0\.000\d+ \(1\/1\)/, /agent: 7 calls, .*, cost 0\.00\d+/],
  });
  await project.run('agent-criteria report --format html --output report.html', { code: 0 });
  if (!project.read('report.html').includes('max_turn_cost')) throw new Error('the report has no cost');
  // The same agent as the code of a project.
  project.write({ 'app/package.json': project.read('package.json'), 'app/src/desk.ts': project.read('agent.ts') });
  await project.run('agent-criteria init app', { code: 0, says: ['evals/agent.ts exports the agent of src/desk.ts'] });
  await project.run('agent-criteria eval app/evals', { code: 0, says: ['1 passed of 1 case'] });
  return 'init writes an agent that passes, with tokens and cost in its report, and finds the one in the code';
}

/** Tests the three commands from a log of a thousand conversations to a scored, labelled and calibrated run. */
async function logOfConversations(project: Project): Promise<string> {
  await project.install([CLI]);
  const lines = Array.from({ length: 1000 }, (_, index) => {
    const isGood = index % 5 !== 0;
    const answer = isGood ? `Order ${index} was sent.` : 'I do not know.';
    return JSON.stringify({
      id: `chat-${index}`,
      messages: [
        { role: 'user', content: `Where is order ${index}?` },
        { role: 'assistant', content: answer },
      ],
      reference: `Order ${index} was sent.`,
      label: isGood || index % 35 === 0 ? 'pass' : 'fail',
    });
  });
  project.write({
    'log.jsonl': `${lines.join('\n')}\n`,
    'test_config.json': JSON.stringify({ criteria: { response_match_score: 0.8 } }),
  });
  await project.run('agent-criteria import log.jsonl', {
    code: 0,
    says: ['1000 conversations, 1000 turns', 'Labels: 829 pass, 171 fail'],
  });
  await project.run('agent-criteria score last --config-file-path test_config.json', {
    code: 1,
    says: ['800 passed, 200 failed of 1000 cases'],
  });
  await project.run('agent-criteria calibrate last', { code: 0, says: ['... and 19 more'] });
  return 'three commands lead from a log of 1,000 conversations to a scored, labelled and calibrated run';
}

/** Tests cases as Vitest tests, and matchers, from their page. */
async function inVitest(project: Project): Promise<string> {
  const criteria = ['@agent-criteria/criteria-rouge', '@agent-criteria/criteria-trajectory'];
  // The newest Vitest requires a newer Node than our packages.
  await project.install(['@agent-criteria/vitest', ...criteria], ['vitest@^4.1.0', ...TYPESCRIPT]);
  const agent = fromPage('first-score.md', 'ts', 'rootAgent');
  project.write({
    'tsconfig.json': tsconfig.replace('"noEmit"', '"skipLibCheck":true,"noEmit"'),
    'agent.ts': agent,
    'rooms.evalset.json': fromPage('first-score.md', 'json', 'eval_set_id'),
    'test_config.json': fromPage('first-score.md', 'json', '"criteria"'),
    'vitest.config.ts': fromPage('evals-in-vitest.md', 'js', 'setupFiles'),
    'rooms.eval.test.ts': fromPage('evals-in-vitest.md', 'ts', 'describeEvalSet'),
    'matchers.test.ts': fromPage('evals-in-vitest.md', 'ts', 'toMatchTrajectory'),
  });
  await project.run('tsc -p .', { code: 0 });
  await project.run('vitest run', { code: 0, says: [/Tests +2 passed/] });
  project.write({ 'agent.ts': agent.replace('kitchen: 23', 'kitchen: 12') });
  await project.run('vitest run', { code: 1, says: ['12'] });
  return 'a case and matchers pass, and fail with a worse agent';
}

export const scenarios: Readonly<Record<string, (project: Project) => Promise<string>>> = {
  'a selective install': selectiveInstall,
  'the command': command,
  'its bare name': bareName,
  'an agent and a criterion of one’s own': ownAgentAndCriterion,
  'an agent of @google/adk': adkAgent,
  'an agent of the AI SDK': aiSdkAgent,
  'a log of conversations': logOfConversations,
  Vitest: inVitest,
  mistakes: mistakesByProcess,
};
