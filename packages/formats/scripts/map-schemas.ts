import { isObject, type JsonSchema } from '../src/json.ts';

/** Applies a function to every schema in a map of schemas, innermost first. Other values are kept. */
export function mapSchemas(schemas: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const map = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(map);
    if (!isObject(schema)) return schema;
    return change(
      Object.fromEntries(
        Object.entries(schema).map(([keyword, value]) => [
          keyword,
          keyword === 'properties' && isObject(value) ? mapSchemas(value, change) : map(value),
        ]),
      ),
    );
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, map(schema)]));
}
