/**
 * What a package is decides how it takes core: plugins and libraries as a peer, so that a project has one core;
 * applications as a dependency; tools not at all. What is pure needs nothing but the language, not even core.
 */
export type Kind = 'core' | 'pure' | 'plugin' | 'library' | 'application' | 'tool';

export interface Place {
  readonly kind: Kind;
  /** The packages of ours that its published code may import, besides core. */
  readonly imports: readonly string[];
  /** The floors of its source, from the bottom up. A folder imports from itself and from lower floors only. */
  readonly floors?: readonly (readonly string[])[];
}

/** The house: every package there is or will be, and the arrows between them. Any other `criteria-*` needs core only. */
const house: Readonly<Record<string, Place>> = {
  // The vocabulary of files, which core compiles in and exports to authors of plugins.
  formats: { kind: 'pure', imports: [] },
  core: { kind: 'core', imports: ['formats'] },
  // Secrets, kept out of what is stored or shown.
  masking: { kind: 'pure', imports: [] },
  // Numbers in, numbers out.
  statistics: { kind: 'pure', imports: [] },
  'criteria-trajectory': { kind: 'plugin', imports: ['values'] },
  'criteria-checks': { kind: 'plugin', imports: ['formats', 'values'] },
  'criteria-llm-judge': { kind: 'plugin', imports: ['judge'] },
  'criteria-hallucination': { kind: 'plugin', imports: ['judge'] },
  'criteria-safety': { kind: 'plugin', imports: ['vertex-evaluation'] },
  'criteria-vertex': { kind: 'plugin', imports: ['vertex-evaluation'] },
  'user-simulator': { kind: 'plugin', imports: ['judge'] },
  'model-gemini': { kind: 'plugin', imports: ['calls'] },
  'agent-adk': { kind: 'plugin', imports: ['formats', 'masking', 'calls'] },
  'agent-http': { kind: 'plugin', imports: ['formats', 'masking', 'calls'] },
  'vertex-evaluation': { kind: 'library', imports: ['masking', 'calls'] },
  judge: { kind: 'library', imports: [] },
  // Comparing JSON values, which criteria that ask no model do.
  values: { kind: 'library', imports: [] },
  // What needs a clock or a network, so that it cannot be in core.
  calls: { kind: 'library', imports: ['formats'] },
  // A run as data.
  results: { kind: 'library', imports: ['formats'] },
  // Statements about runs.
  analysis: { kind: 'library', imports: ['formats', 'results', 'statistics'] },
  models: { kind: 'library', imports: ['formats', 'masking', 'calls', 'results'] },
  // The runner gets plugins as values and models as a function, so it imports neither.
  runner: { kind: 'application', imports: ['formats', 'masking', 'calls', 'results'] },
  project: {
    kind: 'application',
    imports: ['formats', 'masking', 'calls', 'results', 'analysis', 'runner', 'models'],
    floors: [['files'], ['config'], ['plan'], ['runs'], ['doctor', 'editing', 'init']],
  },
  report: { kind: 'application', imports: ['formats', 'calls', 'results', 'analysis', 'viewer'] },
  viewer: { kind: 'application', imports: ['formats', 'results', 'analysis'] },
  studio: {
    kind: 'application',
    imports: ['formats', 'masking', 'calls', 'results', 'analysis', 'runner', 'project', 'report', 'models', 'viewer'],
  },
  vitest: { kind: 'application', imports: ['calls', 'results', 'runner', 'project', 'report', 'models'] },
  cli: {
    kind: 'application',
    imports: [
      'formats',
      'masking',
      'results',
      'analysis',
      'runner',
      'project',
      'report',
      'models',
      'criteria-trajectory',
      'criteria-rouge',
      'criteria-efficiency',
      'criteria-checks',
    ],
  },
  // The command under its bare name.
  'agent-criteria': { kind: 'application', imports: ['cli'] },
  'create-criterion': { kind: 'tool', imports: [] },
};

/** Where a package stands, by its folder; `undefined` for one that the house does not know. */
export function placeOf(folder: string): Place | undefined {
  if (Object.hasOwn(house, folder)) return house[folder];
  return folder.startsWith('criteria-') ? { kind: 'plugin', imports: [] } : undefined;
}
