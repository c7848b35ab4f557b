import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

export const common: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['@agent-criteria/source'],
  types: ['node'],
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  noEmit: true,
};

// Parses comments as `tsc` does.
const comments = ts.JSDocParsingMode.ParseForTypeErrors;
const registry = ts.createDocumentRegistry(ts.sys.useCaseSensitiveFileNames, root, comments);
const key = registry.getKeyForCompilationSettings(common);

/** Files that are not themselves checked: parsing and binding them once is enough for all programs and editors. */
export const documents: ts.DocumentRegistry = { ...registry, getKeyForCompilationSettings: () => key };

/** The version of a file on disk. */
export const unchanged = '1';

/** Import resolution is also shared by all programs: none of the flags in which they differ affects it. */
const resolved = ts.createModuleResolutionCache(root, (name) => name, common);

/**
 * Creates a program from files on disk and from texts at virtual paths, like a user's project that uses our sources.
 */
export function programOf(
  files: readonly string[],
  texts: Readonly<Record<string, string>>,
  flags: ts.CompilerOptions,
): ts.Program {
  const options = { ...common, ...flags };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  const checked = new Set(files.map((file) => resolve(file)));
  const byPath = new Map(Object.entries(texts).map(([file, text]) => [resolve(file), text]));
  host.fileExists = (file) => byPath.has(resolve(file)) || fileExists(file);
  // Without this method, every folder is assumed to exist, but the folders of the texts do not.
  delete host.directoryExists;
  host.readFile = (file) => byPath.get(resolve(file)) ?? readFile(file);
  host.jsDocParsingMode = comments;
  host.resolveModuleNameLiterals = (literals, from, redirected, own, source) =>
    literals.map((literal) => {
      const mode = ts.getModeForUsageLocation(source, literal, own);
      return ts.resolveModuleName(literal.text, from, own, host, resolved, redirected, mode);
    });
  host.getSourceFile = (file, language, ...more) => {
    const text = byPath.get(resolve(file));
    if (text !== undefined) return ts.createSourceFile(file, text, language);
    // A checked file is bound with the flags of its program.
    if (checked.has(resolve(file))) return getSourceFile(file, language, ...more);
    const content = readFile(file);
    if (content === undefined) return undefined;
    const snapshot = ts.ScriptSnapshot.fromString(content);
    return documents.acquireDocument(file, options, snapshot, unchanged, undefined, language);
  };
  return ts.createProgram([...files, ...byPath.keys()], options, host);
}

/** Returns the compiler's messages about these files, but not about everything that they import. */
export function problemsIn(program: ts.Program, files: readonly string[]): string[] {
  const found = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  for (const file of files) {
    const source = program.getSourceFile(resolve(file).replaceAll('\\', '/'));
    if (source === undefined) throw new Error(`${file} is not in the program`);
    found.push(...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source));
  }
  return found.map(({ file, start, messageText }) => {
    const place = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : '';
    return `${file ? relative(root, file.fileName) : ''}:${place} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
