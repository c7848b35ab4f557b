import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** A name that an entry of a package exports. */
export interface PublicName {
  readonly name: string;
  /** Such as `@agent-criteria/core/host`. */
  readonly entry: string;
  /** The file and name of its declaration. Names with the same declaration are the same. */
  readonly declaration: string;
  /** `false` if another of our packages declares it. */
  readonly isOwn: boolean;
}

interface Exported {
  /** The name in the module that it comes from, or `null` for a whole module (`export * as name`). */
  readonly local: string | null;
  readonly specifier: string | null;
}

interface Module {
  readonly exported: ReadonlyMap<string, Exported>;
  /** The specifiers in `export * from`. */
  readonly stars: readonly string[];
}

const SCOPE = '@agent-criteria/';
const SOURCE = '@agent-criteria/source';

/**
 * Lists the names exported by every entry of every package under `root`, read from the sources without a type checker.
 */
export function publicNames(root: string): readonly PublicName[] {
  const entries = entriesOf(root);
  const modules = new Map<string, Module>();
  const moduleOf = (file: string): Module => {
    const known = modules.get(file) ?? readModule(file, readFileSync(join(root, file), 'utf8'));
    modules.set(file, known);
    return known;
  };
  const fileOf = (specifier: string, from: string): string | undefined =>
    specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : entries.get(specifier);

  /** Returns the file and the name that declare a name exported by a module. */
  const declarationOf = (file: string, name: string): string | undefined => {
    const { exported, stars } = moduleOf(file);
    const own = exported.get(name);
    if (own === undefined) {
      for (const specifier of stars) {
        const target = fileOf(specifier, file);
        const found = target === undefined ? undefined : declarationOf(target, name);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (own.specifier === null) return `${file} ${own.local}`;
    const target = fileOf(own.specifier, file);
    if (target === undefined || own.local === null) return `${own.specifier} ${own.local ?? '*'}`;
    return declarationOf(target, own.local) ?? `${target} ${own.local}`;
  };
  const namesOf = (file: string): readonly string[] => {
    const { exported, stars } = moduleOf(file);
    const others = stars.flatMap((specifier) => {
      const target = fileOf(specifier, file);
      return target === undefined ? [] : namesOf(target);
    });
    return [...new Set([...exported.keys(), ...others])].filter((name) => name !== 'default');
  };

  return [...entries].flatMap(([entry, file]) => {
    const folder = file.split('/').slice(0, 2).join('/');
    return namesOf(file).map((name): PublicName => {
      const declaration = declarationOf(file, name) ?? `${file} ${name}`;
      return { name, entry, declaration, isOwn: declaration.startsWith(`${folder}/`) };
    });
  });
}

/** Returns the source file of each entry of each package, by specifier. */
function entriesOf(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of readdirSync(join(root, 'packages'))) {
    const manifest = join(root, 'packages', folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { exports: entries = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    for (const [entry, target] of Object.entries<Record<string, string>>(entries)) {
      const source = target[SOURCE];
      if (source !== undefined && /\.tsx?$/.test(source)) {
        found.set(posix.join(SCOPE, folder, entry), posix.join('packages', folder, source));
      }
    }
  }
  return found;
}

function readModule(file: string, text: string): Module {
  const exported = new Map<string, Exported>();
  const imported = new Map<string, Exported>();
  const stars: string[] = [];
  const language = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  for (const statement of ts.createSourceFile(file, text, language).statements) {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      const specifier = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : null;
      if (exportClause === undefined) stars.push(specifier ?? '');
      else if (ts.isNamespaceExport(exportClause)) exported.set(exportClause.name.text, { local: null, specifier });
      else {
        for (const { name, propertyName } of exportClause.elements) {
          const local = (propertyName ?? name).text;
          exported.set(
            name.text,
            specifier === null ? (imported.get(local) ?? { local, specifier }) : { local, specifier },
          );
        }
      }
    } else if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const bindings = statement.importClause?.namedBindings;
      if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
      for (const { name, propertyName } of bindings.elements) {
        imported.set(name.text, { local: (propertyName ?? name).text, specifier: statement.moduleSpecifier.text });
      }
    } else if (isExported(statement)) {
      for (const local of declaredNames(statement)) exported.set(local, { local, specifier: null });
    }
  }
  return { exported, stars };
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  const { name } = statement as ts.Statement & { readonly name?: ts.Node };
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}
