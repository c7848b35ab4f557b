import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../corpus/folder.ts';
import { strictness } from '../strictness.ts';
import { programOf } from '../type-check.ts';

/** Returns the exported names of every public entry with their signatures, one file per package. */
export function declarations(): Readonly<Record<string, string>> {
  const packages = readdirSync(join(root, 'packages')).sort().map(entriesOf);
  const entries = packages.flatMap(({ entries }) => entries.map(({ source }) => source));
  const program = programOf(
    entries,
    {},
    {
      ...strictness['every strict flag'],
      lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      jsx: ts.JsxEmit.ReactJSX,
      jsxImportSource: 'preact',
    },
  );
  const seen = new Map<string, string>();
  const exported = new Set<string>();
  const found: Record<string, string> = {};
  for (const { name, entries } of packages) {
    const texts = entries.map(({ entry, source }) => {
      const lines = exportsOf(program, source);
      for (const line of lines) exported.add(/^(?:interface |type |class )?(\w+)/.exec(line)?.[1] ?? '');
      const text = lines.join('\n');
      const same = seen.get(text);
      if (same === undefined) seen.set(text, entry);
      return `== ${entry}\n${same === undefined ? text : `the same as ${same}`}\n`;
    });
    if (texts.length > 0) found[`${name}.txt`] = texts.join('\n');
  }
  return { ...found, 'types-that-no-entry-exports.txt': `${hidden(program, [...seen.keys()], exported).join('\n')}\n` };
}

/** Lists the sources of all entries of all packages, by the specifiers that users import. */
export function publicEntries(): readonly { readonly entry: string; readonly source: string }[] {
  return readdirSync(join(root, 'packages'))
    .sort()
    .flatMap((name) => entriesOf(name).entries);
}

function entriesOf(name: string) {
  const file = join(root, 'packages', name, 'package.json');
  if (!existsSync(file)) return { name, entries: [] };
  const { name: published, exports = {} } = JSON.parse(readFileSync(file, 'utf8'));
  const entries = Object.entries<unknown>(exports).flatMap(([entry, target]) => {
    const source: unknown = Object(target)['@agent-criteria/source'];
    if (typeof source !== 'string' || !/\.tsx?$/.test(source)) return [];
    return [{ entry: join(published, entry), source: join(root, 'packages', name, source) }];
  });
  return { name, entries };
}

const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;

/** Lists all exports of a module, sorted by name. */
function exportsOf(program: ts.Program, file: string): readonly string[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (source === undefined || module === undefined) throw new Error(`${file} is no module`);
  const describe = describer(checker, source);
  return checker.getExportsOfModule(module).toSorted(byName).flatMap(describe);
}

/**
 * Finds the types that signatures refer to but no entry exports, recursively: they are as public as the types that
 * refer to them. They are found by name.
 */
function hidden(program: ts.Program, texts: readonly string[], exported: ReadonlySet<string>): readonly string[] {
  const checker = program.getTypeChecker();
  const all = new Map<string, { readonly symbol: ts.Symbol; readonly source: ts.SourceFile }[]>();
  for (const source of program.getSourceFiles()) {
    if (!/\/packages\/[\w-]+\/src\//.test(source.fileName)) continue;
    for (const statement of source.statements) {
      if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) continue;
      const symbol = checker.getSymbolAtLocation(statement.name);
      if (symbol !== undefined) all.set(symbol.name, [...(all.get(symbol.name) ?? []), { symbol, source }]);
    }
  }
  const found = new Map<string, readonly string[]>();
  const waiting = [...texts];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [name] of text.replaceAll(/'[^']*'/g, '').matchAll(/\b[A-Z]\w*/g)) {
      if (exported.has(name) || found.has(name)) continue;
      const lines = (all.get(name) ?? []).map(({ symbol, source }) => describer(checker, source)(symbol).join('\n'));
      found.set(name, [...new Set(lines)].sort());
      waiting.push(...lines);
    }
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, lines]) => lines);
}

const byName = (a: ts.Symbol, b: ts.Symbol) => (a.name < b.name ? -1 : 1);

/**
 * Returns a function that describes a symbol in lines: its signature as a value, and its members or its alias target as
 * a type.
 */
function describer(checker: ts.TypeChecker, source: ts.SourceFile): (symbol: ts.Symbol) => readonly string[] {
  const write = (type: ts.Type, more = 0) => checker.typeToString(type, source, FLAGS | more);

  function describe(symbol: ts.Symbol): readonly string[] {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const { name } = symbol;
    if (target.flags & ts.SymbolFlags.Module && target.valueDeclaration?.kind === ts.SyntaxKind.SourceFile) {
      return [
        `namespace ${name}: ${checker
          .getExportsOfModule(target)
          .map((one) => one.name)
          .sort()
          .join(', ')}`,
      ];
    }
    const lines: string[] = [];
    if (target.flags & ts.SymbolFlags.Class) lines.push(...classLines(name, target));
    else if (target.flags & ts.SymbolFlags.Value) {
      const type = checker.getTypeOfSymbol(target);
      const signatures = checker.getSignaturesOfType(type, ts.SignatureKind.Call);
      const isFunction = signatures.length > 0 && checker.getPropertiesOfType(type).length === 0;
      if (isFunction) {
        for (const signature of signatures) lines.push(`${name}${checker.signatureToString(signature, source, FLAGS)}`);
      } else lines.push(`${name}: ${write(type)}`);
    }
    if (target.flags & ts.SymbolFlags.Interface) lines.push(...interfaceLines(name, target));
    if (target.flags & ts.SymbolFlags.TypeAlias) lines.push(aliasLine(name, target));
    return lines;
  }

  function classLines(name: string, target: ts.Symbol): readonly string[] {
    const made = checker.getTypeOfSymbol(target);
    const news = checker.getSignaturesOfType(made, ts.SignatureKind.Construct);
    const statics = checker.getPropertiesOfType(made).filter((one) => one.name !== 'prototype' && isOurs(one));
    return [
      ...news.map((one) => `class ${name}: new ${checker.signatureToString(one, source, FLAGS)}`),
      ...members(statics).map((line) => `  static ${line}`),
      ...members(checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(target)).filter(isOurs)).map(
        (line) => `  ${line}`,
      ),
    ];
  }

  function interfaceLines(name: string, target: ts.Symbol): readonly string[] {
    const type = checker.getDeclaredTypeOfSymbol(target);
    const calls = [ts.SignatureKind.Call, ts.SignatureKind.Construct].flatMap((kind) =>
      checker.getSignaturesOfType(type, kind).map((one) => checker.signatureToString(one, source, FLAGS)),
    );
    const indexes = checker
      .getIndexInfosOfType(type)
      .map(({ keyType, type: of, isReadonly }) => `${isReadonly ? 'readonly ' : ''}[${write(keyType)}]: ${write(of)}`);
    return [
      `interface ${name}${parametersOf(target)}${parentsOf(target)}`,
      ...[...calls, ...indexes, ...members(checker.getPropertiesOfType(type).filter(isOurs))].map(
        (line) => `  ${line}`,
      ),
    ];
  }

  function members(properties: readonly ts.Symbol[]): readonly string[] {
    return properties.map((property) => {
      const isReadonly = property.declarations?.some(
        (one) => ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Readonly,
      );
      const optional = property.flags & ts.SymbolFlags.Optional ? '?' : '';
      return `${isReadonly === true ? 'readonly ' : ''}${nameOf(property)}${optional}: ${write(checker.getTypeOfSymbol(property))}`;
    });
  }

  function aliasLine(name: string, target: ts.Symbol): string {
    const type = checker.getDeclaredTypeOfSymbol(target);
    return `type ${name}${parametersOf(target)} = ${write(type, ts.TypeFormatFlags.InTypeAlias)}`;
  }

  /** Lists the third-party base types, whose members are not written here. */
  function parentsOf(target: ts.Symbol): string {
    const declarations = target.declarations?.filter(ts.isInterfaceDeclaration) ?? [];
    const parents = declarations.flatMap(({ heritageClauses = [] }) => heritageClauses.flatMap(({ types }) => types));
    const foreign = parents.filter((one) => !isOurs(checker.getTypeAtLocation(one).symbol));
    return foreign.length === 0 ? '' : ` extends ${foreign.map((one) => one.getText()).join(', ')}`;
  }

  /** Returns the type parameters with their constraints and defaults, as written. */
  function parametersOf(target: ts.Symbol): string {
    for (const declaration of target.declarations ?? []) {
      if (!ts.isInterfaceDeclaration(declaration) && !ts.isTypeAliasDeclaration(declaration)) continue;
      const texts = declaration.typeParameters?.map((one) => one.getText().replaceAll(/\s+/g, ' ')) ?? [];
      if (texts.length > 0) return `<${texts.join(', ')}>`;
    }
    return '';
  }

  return (symbol) => describe(symbol).map((line) => line.replaceAll(/import\("[^"]*"\)\./g, ''));
}

function nameOf({ name }: ts.Symbol): string {
  return /^[\w$]+$/.test(name)
    ? name
    : name.startsWith('__@')
      ? `[${name.replace(/^__@(\w+)@.*$/, '$1')}]`
      : JSON.stringify(name);
}

function isOurs({ declarations = [] }: Pick<ts.Symbol, 'declarations'> = {}): boolean {
  return declarations.some((one) => /\/packages\/[\w-]+\/src\//.test(one.getSourceFile().fileName));
}
