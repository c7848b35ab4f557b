import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { strictness } from './strictness.ts';
import { common, documents, unchanged } from './type-check.ts';

// The compiler's and the editor's output for an eval set and a config in TypeScript. Whole messages are compared,
// because a long message about a union is as bad as none.

const folder = join(dirname(fileURLToPath(import.meta.url)), '.typed');
const head = `import { defineCriterion, defineEvalConfig, noOptions } from '@agent-criteria/core';
import { responseMatch } from '@agent-criteria/criteria-rouge';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory';
import { defineConfig } from '@agent-criteria/project';
import { describeEvalSet } from '@agent-criteria/vitest';
import { defineEvalSet, evalCase, evaluate, generate, run, scenario, score, turn } from '@agent-criteria/runner';
const agent = () => 'x';
const plugins = [responseMatch, toolTrajectory] as const;
const said = { userContent: { parts: [{ text: 'Hi' }] } };
const evalSet = defineEvalSet({ evalSetId: 's', evalCases: [evalCase('a', [turn('Hi', { answer: 'x' })])] });
`;

/** The mistakes, each with the beginning of the compiler's message. */
export const mistakes: readonly (readonly [code: string, said: string])[] = [
  ['evaluate({ agent, evalSet: { eval_set_id: 1 } })', "'eval_set_id' does not exist in type 'EvalSetSource'"],
  [
    "defineEvalSet({ evalSetId: 's', evalCases: [{ evalId: 'x', conversatoin: [said] }] })",
    "'conversatoin' does not exist in type 'EvalCaseInput'. Did you mean to write 'conversation'?",
  ],
  [
    "defineEvalSet({ evalSetId: 's', evalCases: [{ evalId: 'x', conversation: [{ userContnt: {} }] }] })",
    "'userContnt' does not exist in type 'Invocation | ShortTurn'",
  ],
  [
    "defineEvalSet({ evalSetId: 's', evalCases: [{ evalId: 'x', conversation: [{ user: 'Hi', anwser: 'x' }] }] })",
    "'anwser' does not exist in type",
  ],
  [
    "defineEvalSet({ evalSetId: 's', evalCases: [{ evalId: 'x', conversation: [said], agentCriteria: { tag: ['smoke'] } }] })",
    `Type 'string[]' is not assignable to type '"the key is tags"'`,
  ],
  [
    "defineEvalSet({ evalSetId: 's', evalCases: [{ evalId: 'x', conversation: [said], agentCriteria: { tags: 'smoke' } }] })",
    "Type 'string' is not assignable to type",
  ],
  ["turn('Hi', { anwser: 'x' })", "Did you mean to write 'answer'?"],
  ["evalCase('x', ['Hi'])", "Type 'string' is not assignable to type 'Invocation | ShortTurn'"],
  ["scenario('x', { startingPrompt: 'Hi' })", "Property 'conversationPlan' is missing"],
  ['evaluate({ agent, evalset: evalSet })', "Did you mean to write 'evalSet'?"],
  [
    "evaluate({ agent, evalSet, config: { criteria: { response_match_score: 'x' } } })",
    "Type 'string' is not assignable to type 'number | AnyCriterion'",
  ],
  [
    'evaluate({ agent, evalSet, config: { criteria: { response_match_score: { minCoverage: 1 } } } })',
    "Property 'threshold' is missing",
  ],
  ['evaluate({ agent, evalSet, config: { criterai: {} } })', "Did you mean to write 'criteria'?"],
  [
    'evaluate({ agent, evalSet, config: { plugins, criteria: { response_match_scor: 1 } } })',
    "Did you mean to write 'response_match_score'?",
  ],
  [
    "evaluate({ agent, evalSet, config: { plugins, criteria: { response_match_score: { type: 'rougeL' } } } })",
    "Property 'threshold' is missing",
  ],
  [
    "score({ evalSet, inferences: [], config: { plugins, criteria: { tool_trajectory_avg_score: { threshold: 1, matchTpe: 'EXACT' } } } })",
    "'matchTpe' does not exist",
  ],
  [
    'generate({ agent, evalSet, config: { plugins, criteria: {}, agentCriteria: { measure: ["response_match"] } } })',
    '\'"response_match"\' is not assignable',
  ],
  ['run({ agent, sets: [{ evalSets: evalSet }] })', "'evalSets' does not exist"],
  [
    'run({ agent, sets: [{ evalSet }, { evalSet, config: { plugins, criteria: { response_match_scor: 1 } } }] })',
    "Did you mean to write 'response_match_score'?",
  ],
  [
    "run({ agent, sets: [{ evalSet, config: { plugins: [responseMatch], criteria: { response_match_score: { threshold: 1, typ: 'rougeL' } } } }] })",
    "Did you mean to write 'type'?",
  ],
  [
    "run({ agent, sets: [{ evalSet, config: { plugins, criteria: { response_match_score: { type: 'rougeL' } } } }] })",
    "Property 'threshold' is missing",
  ],
  [
    'describeEvalSet(agent, evalSet, { config: { plugins, criteria: { response_match_scor: 1 } } })',
    "Did you mean to write 'response_match_score'?",
  ],
  [
    'defineConfig({ config: { criteria: { response_match_score: { minCoverage: 1 } } } })',
    "Property 'threshold' is missing",
  ],
  ['defineConfig({ config: { criterai: {} } })', "Did you mean to write 'criteria'?"],
  [
    'defineConfig({ config: { plugins, criteria: { response_match_scor: 1 } } })',
    "Did you mean to write 'response_match_score'?",
  ],
  ["describeEvalSet(agent, { evalSetId: 's', evalCase: [] })", "'evalCase' does not exist"],
];

const fine = `
import type { ProjectConfig } from '@agent-criteria/project';
const measured = defineCriterion({
  name: 'words', origin: { package: 'x', version: '1.0.0' }, description: 'Counts.', decides: false,
  range: { min: 0, max: null, better: 'lower' }, options: noOptions, scope: 'turn', evaluate: () => ({ value: 1 }),
});
const config = defineEvalConfig({
  plugins: [responseMatch, toolTrajectory, measured],
  criteria: { tool_trajectory_avg_score: { threshold: 1, matchType: 'EXACT', minCoverage: 0.5 }, response_match_score: 0.8, words: {} },
  agentCriteria: { measure: ['words'] },
});
evaluate({ agent, evalSet, config });
evaluate({ agent, evalSet, config: { plugins, criteria: { tool_trajectory_avg_score: { threshold: 1, matchType: 'EXACT' } } } });
evaluate({ agent, evalSet, config: { plugins: ['./mine.ts', responseMatch], criteria: { mine: 1, response_match_score: 1 } } });
evaluate({ agent, evalSet: [{ evalId: 'x', conversation: [said, turn('Bye'), { user: 'Hi', answer: null, calls: [{ name: 'x' }] }] }], config: { criteria: { anything: 0.5 } } });
evaluate({ agent, evalSet: { evalSetId: 's', evalCases: [evalCase('x', [turn('Hi')]), scenario('y', { startingPrompt: 'Hi', conversationPlan: 'Leave.' })] } });
const stubs = [{ toolName: 'look_up', injectionConfigs: [{ injectedResponse: { ok: true } }] }];
defineEvalSet({ evalSetId: 's', evalCases: [{ evalId: 'x', conversation: [said], agentCriteria: { tags: ['a'], toolSimulationConfigs: stubs, words: { most: 3 } } }, evalCase('y', [turn('Hi')], { tags: ['a'] })] });
evaluate({ agent, evalSet: JSON.parse('[]'), config: null });
score({ evalSet, config, inferences: [] });
generate({ agent, evalSet, config });
run({ agent, sets: [{ evalSet, config }, { evalSet }] });
run({ agent, sets: [{ evalSet, config: { plugins, criteria: { response_match_score: 1 } } }, { evalSet, config: null }] });
run({ agent, sets: ['a', 'b'].map((evalSetId) => ({ evalSet, evalSetId, config })) });
describeEvalSet(agent, evalSet, { config });
defineConfig({ config, plugins: ['./mine.ts'] });
defineConfig({ config: { criteria: { anything: 0.5, more: { threshold: 1, minCoverage: 0.5 } } } });
defineConfig({ config: './test_config.json' });
const project: ProjectConfig = defineConfig({ config: defineEvalConfig({ plugins, criteria: { response_match_score: 1 } }) });
void [project, { config } satisfies ProjectConfig];
`;

// An unused import must not count as an error.
const used = `void [defineCriterion, defineEvalConfig, noOptions, responseMatch, toolTrajectory, describeEvalSet, defineEvalSet,
  evalCase, evaluate, generate, run, scenario, score, turn, agent, plugins, said, evalSet, defineConfig];`;

/** Returns the path of the file with a mistake, counted from 1; 0 is the valid file. */
export const typedFile = (index: number): string => join(folder, `${index}.ts`);

/** All texts, by their file paths. */
export const typedTexts: Readonly<Record<string, string>> = Object.fromEntries(
  [fine, ...mistakes.map(([code]) => `${code};\n`)].map((code, index) => [typedFile(index), `${head}${code}${used}\n`]),
);

/** Returns the completions that an editor offers at the bar in the code. */
export function completionsAt(code: string): string[] {
  edited = { version: edited.version + 1, text: `${head}${code.replace('|', '')}` };
  service ??= openEditor();
  const { entries = [] } = service.getCompletionsAtPosition(file, head.length + code.indexOf('|'), {}) ?? {};
  return entries.map(({ name }) => name).sort();
}

const file = join(folder, 'edited.ts');
let edited = { version: 0, text: '' };
/** An editor that stays open, so that it reads the libraries' types only once. */
let service: ts.LanguageService | undefined;

function openEditor(): ts.LanguageService {
  const options: ts.CompilerOptions = { ...common, ...strictness['plain strict'] };
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    // The documentation of keys is not needed here.
    jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? `edited ${edited.version}` : unchanged),
    getScriptSnapshot: (name) => {
      const content = name === file ? edited.text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
  };
  return ts.createLanguageService(host, documents);
}
