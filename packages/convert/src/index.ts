export { EXPORT_FORMATS, exportRun } from './exporting/export-run.ts';
export { type Imported, type ImportOptions, importCases, importRun } from './importing/import-conversations.ts';
export { lossText } from './losses.ts';
export { FORMATS, openConversations, type ReadFile } from './open-conversations.ts';
export { COLUMNS } from './rows/columns.ts';
