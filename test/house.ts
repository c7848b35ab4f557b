/**
 * The kind of a package determines how it depends on core: plugins and libraries as a peer, so that a project has only
 * one core; applications as a dependency; tools do not depend on it. Pure packages need only the language, and not even
 * core.
 */
export type Kind = 'core' | 'pure' | 'plugin' | 'library' | 'application' | 'tool';

export interface Place {
  readonly kind: Kind;
  /** Our packages that its published code may import, besides core. */
  readonly imports: readonly string[];
  /** The layers of its source, from the bottom up. A folder imports only from itself and from lower layers. */
  readonly floors?: readonly (readonly string[])[];
}

/**
 * The architecture: every existing or planned package, and the allowed imports between them. Any other `criteria-*`
 * needs only core.
 */
const house: Readonly<Record<string, Place>> = {
  // The vocabulary of files, which core bundles and exports to plugin authors.
  formats: { kind: 'pure', imports: [] },
  core: { kind: 'core', imports: ['formats'] },
  // Keeps secrets out of everything that is stored or shown.
  masking: { kind: 'pure', imports: [] },
  // Pure computation on numbers.
  statistics: { kind: 'pure', imports: [] },
  'criteria-trajectory': { kind: 'plugin', imports: ['values'] },
  'criteria-checks': { kind: 'plugin', imports: ['formats', 'values'] },
  'criteria-llm-judge': { kind: 'plugin', imports: ['judge'] },
  'criteria-hallucination': { kind: 'plugin', imports: ['judge'] },
  'criteria-safety': { kind: 'plugin', imports: ['vertex-evaluation'] },
  'criteria-vertex': { kind: 'plugin', imports: ['vertex-evaluation'] },
  'user-simulator': { kind: 'plugin', imports: ['judge'] },
  'environment-simulation': { kind: 'plugin', imports: ['formats', 'judge', 'values'] },
  'model-gemini': { kind: 'plugin', imports: ['calls'] },
  'agent-adk': { kind: 'plugin', imports: ['formats', 'calls'] },
  'agent-ai-sdk': { kind: 'plugin', imports: ['formats', 'calls'] },
  'agent-a2a': { kind: 'plugin', imports: ['formats', 'calls'] },
  'agent-http': { kind: 'plugin', imports: ['formats', 'calls', 'values'] },
  'vertex-evaluation': { kind: 'library', imports: ['masking', 'calls'] },
  judge: { kind: 'library', imports: [] },
  // Comparison of JSON values, for criteria that ask no model.
  values: { kind: 'library', imports: [] },
  // Code that needs a clock or a network, and therefore cannot be in core.
  calls: { kind: 'library', imports: ['formats', 'masking'] },
  // A run as data.
  results: { kind: 'library', imports: ['formats'] },
  // Statements about runs.
  analysis: { kind: 'library', imports: ['formats', 'results', 'statistics'] },
  models: { kind: 'library', imports: ['formats', 'masking', 'calls', 'results'] },
  // The runner receives plugins as values and models as a function, so it imports neither.
  runner: { kind: 'application', imports: ['formats', 'masking', 'calls', 'results'] },
  project: {
    kind: 'application',
    imports: ['formats', 'masking', 'calls', 'results', 'analysis', 'runner', 'models'],
    floors: [['files'], ['config'], ['plan'], ['runs'], ['agent-process', 'doctor', 'editing', 'init'], ['watch']],
  },
  report: { kind: 'application', imports: ['formats', 'calls', 'results', 'analysis', 'viewer'] },
  viewer: { kind: 'application', imports: ['formats', 'results', 'analysis'] },
  // Conversations that were recorded elsewhere, and runs in the formats of others.
  convert: {
    kind: 'application',
    imports: ['formats', 'values', 'masking', 'calls', 'results', 'runner', 'project', 'report'],
  },
  studio: {
    kind: 'application',
    imports: [
      'formats',
      'masking',
      'calls',
      'results',
      'analysis',
      'runner',
      'project',
      'report',
      'convert',
      'models',
      'viewer',
    ],
  },
  mcp: {
    kind: 'application',
    imports: ['formats', 'masking', 'results', 'analysis', 'runner', 'project', 'report'],
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
      'convert',
      'models',
      'criteria-trajectory',
      'criteria-rouge',
      'criteria-efficiency',
      'criteria-checks',
    ],
  },
  // The command under its unscoped name.
  'agent-criteria': { kind: 'application', imports: ['cli'] },
  'create-criterion': { kind: 'tool', imports: [] },
  // Data for ports in any language, and a runner.
  conformance: { kind: 'tool', imports: [] },
};

/** Returns a package's place in the architecture by its folder, or `undefined` for an unknown one. */
export function placeOf(folder: string): Place | undefined {
  if (Object.hasOwn(house, folder)) return house[folder];
  return folder.startsWith('criteria-') ? { kind: 'plugin', imports: [] } : undefined;
}
