import { execFile } from 'node:child_process';
import { extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Jiti } from 'jiti';
import { missingImport } from './missing-import.ts';
import { mayResolve } from './resolvable-package.ts';
import { userPlace, userStack } from './user-stack.ts';

/** The file extensions of modules. */
export const MODULES: ReadonlySet<string> = new Set(['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs']);
const TYPESCRIPT = new Set(['.ts', '.mts', '.cts', '.tsx']);

/**
 * Imports a module file, including TypeScript on every supported Node. Throws the module's own errors, with line
 * numbers that refer to the original source.
 */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  const absolute = resolve(file);
  if (TYPESCRIPT.has(extname(absolute))) return (await jitiFor(absolute, true)).import(absolute);
  const url = pathToFileURL(absolute).href;
  try {
    return await import(url);
  } catch (error) {
    throw await locateSyntaxError(error, url);
  }
}

/**
 * Imports a package or a path as a module in `folder` would.
 * @throws The module's own error, or one with the code MODULE_NOT_FOUND.
 */
export async function importFrom(specifier: string, folder: string): Promise<Record<string, unknown>> {
  const url = await resolveFrom(specifier, folder);
  if (url === undefined) {
    throw Object.assign(new Error(`cannot find "${specifier}" from ${folder}`), {
      code: 'MODULE_NOT_FOUND',
    });
  }
  if (!url.startsWith('file:')) return import(url);
  // A package in the same checkout is imported natively from its sources, as this module was. Otherwise, each source
  // would be loaded twice.
  const isPackage = !/^(?:\.{0,2}[\\/]|[a-z]:|file:)/i.test(specifier);
  const { typescript } = process.features as { readonly typescript?: unknown };
  if (isPackage && typescript) return import(url);
  return importModule(fileURLToPath(url));
}

/** Resolves a specifier to a URL as a module in `folder` would. Returns `undefined` if it cannot be resolved. */
export async function resolveFrom(specifier: string, folder: string): Promise<string | undefined> {
  const importer = resolve(folder, 'importer.js');
  if (!mayResolve(specifier, importer)) return undefined;
  const jiti = await jitiFor(importer);
  return jiti.esmResolve(specifier, { try: true, conditions: ['node', 'import', ...ownConditions()] });
}

/** The export conditions of this process. */
function ownConditions(): string[] {
  const flag = /^(?:--conditions|-C)(?:=(.+))?$/;
  const { execArgv } = process;
  return execArgv.flatMap((option, index) => {
    const found = flag.exec(option);
    const condition = found === null ? undefined : (found[1] ?? execArgv[index + 1]);
    return condition === undefined ? [] : [condition];
  });
}

/**
 * Creates a TypeScript loader. @param tsconfigPaths Whether `paths` in the tsconfig.json nearest to `from` apply to its
 * imports.
 */
async function jitiFor(from: string, tsconfigPaths = false): Promise<Jiti> {
  // Loaded on demand, because JavaScript agents do not need it.
  const { createJiti } = await import('jiti');
  // A run leaves no cache in the project, unless Node's compile cache is enabled.
  const kept = process.env.NODE_COMPILE_CACHE;
  const options = { fsCache: kept ? resolve(kept, 'jiti') : false, interopDefault: false };
  if (!tsconfigPaths) return createJiti(from, options);
  try {
    return createJiti(from, { ...options, tsconfigPaths });
  } catch {
    // The tsconfig.json is damaged, or extends one that is not installed. Most agents do not need it.
    return createJiti(from, options);
  }
}

/**
 * Adds the place of a syntax error to its stack. Node only prints it for an uncaught error, so a second Node imports
 * the module. That runs none of its code, unless the error comes from a dynamic import.
 */
async function locateSyntaxError(error: unknown, url: string): Promise<unknown> {
  if (!(error instanceof SyntaxError) || userStack(error) !== `SyntaxError: ${error.message}`) return error;
  const options = process.execArgv.filter((option) => !option.startsWith('--inspect'));
  const args = [...options, '--input-type=module', '--eval', `import(${JSON.stringify(url)})`];
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, args, { timeout: 10_000 }, (_error, _stdout, stderr) => done(stderr));
  });
  const place = /^(file:.*:\d+\n[\s\S]*?)\n\s*\nSyntaxError:/m.exec(output)?.[1];
  if (place !== undefined) error.stack = `${place}\nSyntaxError: ${error.message}`;
  return error;
}

/**
 * Describes a load error and its location on one line.
 * @param clean Transforms the message before its lines are joined. Default: no change.
 */
export function describeLoadError(error: unknown, clean = (text: string): string => text): string {
  if (!(error instanceof Error)) return String(error);
  const missing = missingImport(error);
  if (missing !== null) return missing;
  const message = clean(error.message).replace(/\s+/g, ' ').trim();
  const place = userPlace(error);
  const advice = isModuleInScript(error) ? MODULE_IN_SCRIPT : otherVersion(message);
  return `${place === undefined ? message : `${message} (at ${place})`}${advice}`;
}

/** Returns advice if a package was built for another version of one of ours. */
function otherVersion(message: string): string {
  const [, name] = /module '(@agent-criteria\/[^']+)' does not provide an export named/.exec(message) ?? [];
  return name === undefined
    ? ''
    : `; it was built for another version of ${name}: install a newer version of it, or build it with this one`;
}

const MODULE_IN_SCRIPT =
  '; Node reads this file as CommonJS, but it is written as an ES module: name it .mjs, or add "type": "module" to the nearest package.json';

/**
 * Whether an error is due to module syntax in a script. Node detects the format of a .js file unless package.json has
 * "type": "commonjs", but not that of a .cjs file. The stack starts with a path for a script, and with a URL for a
 * module.
 */
function isModuleInScript(error: Error): boolean {
  return (
    error instanceof SyntaxError &&
    MODULE_SYNTAX.test(error.message) &&
    /^(?!file:).+\.c?js:\d+$/.test(error.stack?.split('\n')[0] ?? '')
  );
}

const MODULE_SYNTAX =
  /^(Cannot use import statement outside a module|Unexpected token 'export'|Cannot use 'import\.meta' outside a module|await is only valid in async functions)/;
