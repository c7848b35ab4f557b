type Schema = Readonly<Record<string, unknown>>;

/** The maximum depth. A schema that is nested deeper refers to itself endlessly, and has no instance. */
const DEPTH_LIMIT = 40;

/**
 * Returns a small value that matches a JSON Schema: constants, the first listed value, the first alternative, `true`,
 * the smallest allowed number, all properties, and the minimum number of items in a list, but at least one. If items
 * have an `id` with listed values, there is one item for each. `choose` takes precedence at every path, unless it
 * returns `undefined`.
 */
export function schemaInstance(schema: object, choose?: (path: string, schema: Schema) => unknown): unknown {
  const root = schema as Schema;

  function at(path: string, given: Schema, depth: number): unknown {
    if (depth > DEPTH_LIMIT) throw new Error(`the schema at ${path} has no end`);
    const own = resolved(given);
    const chosen = choose?.(path, own);
    if (chosen !== undefined) return chosen;
    if ('const' in own) return own.const;
    if (Array.isArray(own.enum)) return own.enum[0];
    for (const name of ['anyOf', 'oneOf']) {
      const branches = own[name];
      if (Array.isArray(branches)) return at(path, branches[0], depth + 1);
    }
    switch (Array.isArray(own.type) ? own.type[0] : own.type) {
      case 'array':
        return list(path, own, depth);
      case 'boolean':
        return true;
      case 'integer':
      case 'number':
        return own.minimum ?? 0;
      case 'null':
        return null;
      case 'string':
        return 'Because it is so.'.padEnd(Number(own.minLength ?? 0), '.').slice(0, Number(own.maxLength ?? 1000));
      default:
        return object(path, own, depth);
    }
  }

  function object(path: string, own: Schema, depth: number): object {
    const properties = Object.entries((own.properties ?? {}) as Readonly<Record<string, Schema>>);
    return Object.fromEntries(properties.map(([key, value]) => [key, at(`${path}.${key}`, value, depth + 1)]));
  }

  function list(path: string, own: Schema, depth: number): unknown[] {
    const items = resolved((own.items ?? {}) as Schema);
    const id = resolved(((items.properties ?? {}) as Readonly<Record<string, Schema>>).id ?? {});
    const ids = Array.isArray(id.enum) ? id.enum : [];
    const length = ids.length > 0 ? ids.length : Math.max(1, Number(own.minItems ?? 0));
    return Array.from({ length: Math.min(length, Number(own.maxItems ?? length)) }, (_, index) => {
      const item = at(`${path}[${index}]`, items, depth + 1);
      const chosen = ids.length > 0 ? (choose?.(`${path}[${index}].id`, id) ?? ids[index]) : undefined;
      return ids.length > 0 && typeof item === 'object' ? { ...item, id: chosen } : item;
    });
  }

  function resolved(given: Schema): Schema {
    let own = given;
    for (let hops = 0; typeof own.$ref === 'string' && hops < DEPTH_LIMIT; hops++) {
      const found = own.$ref
        .slice(2)
        .split('/')
        .reduce<unknown>((value, key) => (value as Schema | undefined)?.[key], root);
      own = (found ?? {}) as Schema;
    }
    return own;
  }

  return at('$', root, 0);
}
