import ts from 'typescript';

/** A parsed TypeScript file. */
export interface Source {
  /** The path from the package's folder, with forward slashes, such as `src/index.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly specifier: string;
  readonly names: readonly string[];
}

/** Cached, because several rules analyse the same files. */
const known = new WeakMap<Source, readonly Import[]>();

/** Parses a file. @param hasParents Whether nodes know their parents, as `getText` requires. */
function parse({ path, text }: Source, hasParents = true): ts.SourceFile {
  // No rule needs comments, which take long to parse.
  const language = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  return ts.createSourceFile(path, text, language, hasParents);
}

function* nodesOf(root: ts.Node): Generator<ts.Node> {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    node.forEachChild((child) => void waiting.push(child));
  }
}

/** Lists all modules that a file refers to: imports, re-exports, `import()`, `import('x').Type` and `require`. */
export function importsOf(source: Source): readonly Import[] {
  const imports = known.get(source) ?? readImports(source);
  known.set(source, imports);
  return imports;
}

function readImports(source: Source): readonly Import[] {
  const found: Import[] = [];
  for (const node of nodesOf(parse(source, false))) {
    const specifier = specifierOf(node);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) {
      found.push({ specifier: specifier.text, names: ts.isImportDeclaration(node) ? namesOf(node) : [] });
    }
  }
  return found;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const { expression } = node;
  const imports = expression.kind === ts.SyntaxKind.ImportKeyword;
  return imports || (ts.isIdentifier(expression) && expression.text === 'require') ? node.arguments[0] : undefined;
}

function namesOf(node: ts.ImportDeclaration): string[] {
  const bindings = node.importClause?.namedBindings;
  return bindings !== undefined && ts.isNamedImports(bindings)
    ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
    : [];
}

/** Whether the file calls the function of this name. */
export function calls(source: Source, name: string): boolean {
  if (!source.text.includes(name)) return false;
  return [...nodesOf(parse(source, false))].some(
    (node) => ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name,
  );
}

/**
 * Lists the object literals that are spread into others or into JSX, as text: their fields could be written in place.
 */
export function spreadLiterals(source: Source): string[] {
  if (!/\.\.\.\s*\(*\s*\{/.test(source.text)) return [];
  return [...nodesOf(parse(source))].flatMap((node) => {
    if (!ts.isSpreadAssignment(node) && !ts.isJsxSpreadAttribute(node)) return [];
    let spread = node.expression;
    while (ts.isParenthesizedExpression(spread)) spread = spread.expression;
    return ts.isObjectLiteralExpression(spread) ? [node.getText()] : [];
  });
}

/** Lists the top-level statements that are neither imports nor re-exports, as text. */
export function statementsOf(source: Source): string[] {
  return parse(source)
    .statements.filter(
      (node) => !ts.isImportDeclaration(node) && !(ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined),
    )
    .map((node) => node.getText());
}

const impure = new Set(
  'Date process performance crypto fetch console setTimeout setInterval setImmediate require'.split(' '),
);

/** Lists the uses of the clock, randomness, the environment and the network in a file, as text. */
export function impuritiesOf(source: Source): string[] {
  return [...nodesOf(parse(source))].flatMap((node) => {
    if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') return ['Math.random'];
    return ts.isIdentifier(node) && impure.has(node.text) && isValue(node) ? [node.text] : [];
  });
}

/** Whether an identifier refers to a value of that name, rather than a type or a field. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent) || ts.isTypeReferenceNode(parent)) return false;
  return !('name' in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent));
}
