export { findConfig, findEvalSets } from './find-files.ts';
export { importFrom, importModule } from './import-module.ts';
export { loadAgent } from './load-agent.ts';
export { type LoadedEvalSet, loadEvalSet } from './load-eval-set.ts';
export { loadPlugins } from './load-plugins.ts';
export { type JsonText, parseJsonText } from './parse-json-text.ts';
export { MAX_FILE_BYTES, readJsonFile } from './read-json-file.ts';
