export type { ConvertedCheck } from './criteria/conversions.ts';
export { EXPORT_FORMATS, exportRun } from './exporting/export-run.ts';
export { cutOffImport } from './importing/cut-off-import.ts';
export { type Imported, type ImportOptions, importCases, importRun } from './importing/import-conversations.ts';
export { lossText } from './losses.ts';
export { openConversations } from './open-conversations.ts';
export { FORMATS, type ReadFile } from './open-options.ts';
export { COLUMNS } from './rows/columns.ts';
