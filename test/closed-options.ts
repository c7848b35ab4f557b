import ts from 'typescript';

/**
 * Lists, as text, the optional properties of exported types that do not accept an explicit `undefined`. The program
 * must have `exactOptionalPropertyTypes`; without it, all properties accept one. `isOurs` tells whether a file's types
 * are ours.
 */
export function closedOptions(
  program: ts.Program,
  entries: readonly string[],
  isOurs: (file: string) => boolean,
): string[] {
  const checker = program.getTypeChecker();
  const explicit = checker.getUndefinedType();
  const found = new Set<string>();
  const seen = new Set<ts.Type>();
  const waiting: ts.Type[] = [];

  const takesUndefined = (type: ts.Type): boolean =>
    type === explicit ||
    (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0 ||
    // If the property may only be absent, its type contains a different `undefined`.
    (type.isUnion() && type.types.includes(explicit));

  function visit(type: ts.Type): void {
    if (type.isUnionOrIntersection()) waiting.push(...type.types);
    waiting.push(...(type.aliasTypeArguments ?? []), ...checker.getTypeArguments(type as ts.TypeReference));
    for (const { type: of } of checker.getIndexInfosOfType(type)) waiting.push(of);
    for (const kind of [ts.SignatureKind.Call, ts.SignatureKind.Construct]) {
      for (const signature of checker.getSignaturesOfType(type, kind)) {
        for (const parameter of signature.parameters) waiting.push(checker.getTypeOfSymbol(parameter));
        waiting.push(signature.getReturnType());
      }
    }
    for (const property of checker.getPropertiesOfType(type)) {
      const declaration = property.declarations?.[0];
      if (declaration === undefined || !isOurs(declaration.getSourceFile().fileName)) continue;
      const typeOf = checker.getTypeOfSymbol(property);
      waiting.push(typeOf);
      // Contract members with generic parameters are methods; otherwise they would not accept the options of every
      // criterion.
      if (ts.isMethodSignature(declaration)) continue;
      if ((property.flags & ts.SymbolFlags.Optional) === 0 || takesUndefined(typeOf)) continue;
      const { line } = ts.getLineAndCharacterOfPosition(declaration.getSourceFile(), declaration.getStart());
      found.add(`${declaration.getSourceFile().fileName}:${line + 1} ${property.name}`);
    }
  }

  for (const entry of entries) {
    const source = program.getSourceFile(entry);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${entry} is no module of the program`);
    for (const symbol of checker.getExportsOfModule(module)) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if (target.flags & ts.SymbolFlags.Type) waiting.push(checker.getDeclaredTypeOfSymbol(target));
      if (target.flags & ts.SymbolFlags.Value) waiting.push(checker.getTypeOfSymbol(target));
    }
  }
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    visit(type);
  }
  return [...found].sort();
}
