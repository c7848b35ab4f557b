import type { JsonSchema } from '../json.ts';
// Written by scripts/write-schemas.ts from scripts/models.ts.
import models from './models.json' with { type: 'json' };

export type ModelName = keyof typeof models;

const schemas = new Map<ModelName, JsonSchema>();

/** The JSON Schema of a model: camelCase, complete in itself. */
export function modelSchema(name: ModelName): JsonSchema {
  let schema = schemas.get(name);
  if (!schema) {
    schema = { $ref: `#/$defs/${name}`, $defs: models };
    schemas.set(name, schema);
  }
  return schema;
}
