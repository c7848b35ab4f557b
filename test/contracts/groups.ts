import { coldImports } from './cold-imports.ts';
import { declarations } from './declarations.ts';
import { identities } from './identities.ts';
import { csvColumns, jsonKeys } from './json-keys.ts';
import { environmentNames, errorCodes, schemas, symbols } from './names.ts';
import { prompts } from './prompts.ts';
import { type RecordedRun, recordRuns } from './recorded-runs.ts';

/** The recorded texts, keyed by the file in which each is stored. */
export type Contracts = Readonly<Record<string, string>>;

type NewFolder = () => string;

let runs: Promise<readonly RecordedRun[]> | undefined;

function runsIn(newFolder: NewFolder): Promise<readonly RecordedRun[]> {
  runs ??= recordRuns(newFolder);
  return runs;
}

/** Everything that is recorded, by group. */
export const groups = {
  prompts: async (newFolder: NewFolder): Promise<Contracts> => prompts(await runsIn(newFolder)),
  identities: async (newFolder: NewFolder): Promise<Contracts> => ({
    'identities.txt': await identities(await runsIn(newFolder), newFolder),
  }),
  'json-keys': async (newFolder: NewFolder): Promise<Contracts> => ({
    'json-keys.txt': await jsonKeys(newFolder),
    'csv-columns.txt': await csvColumns(newFolder),
  }),
  names: async (): Promise<Contracts> => ({
    'environment.txt': environmentNames(),
    'error-codes.txt': errorCodes(),
    'schemas.txt': schemas(),
    'symbols.txt': symbols(),
  }),
  'cold-imports': async (): Promise<Contracts> => ({ 'cold-imports.txt': await coldImports() }),
  declarations: async (): Promise<Contracts> => declarations(),
} as const;

export function isGroup(name: string): name is keyof typeof groups {
  return Object.hasOwn(groups, name);
}
