import { isObject, type State } from '../json.ts';

/**
 * Converts tools in the format of ADK, OpenAI's API or the AI SDK to declarations as a model receives them. Parts that
 * cannot be read, such as a schema without a JSON form, are left out.
 *
 * @param tools A list of declarations, or tools by name.
 */
export function toolDeclarations(tools: readonly object[] | Readonly<Record<string, object>>): readonly State[] {
  const named: readonly (readonly [string | undefined, unknown])[] = Array.isArray(tools)
    ? tools.flatMap((tool): [undefined, unknown][] => declarationsIn(tool).map((one) => [undefined, one]))
    : Object.entries(tools);
  return named.flatMap(([key, tool]) => {
    if (!isObject(tool)) return [];
    const own = isObject(tool.function) ? tool.function : tool;
    const name = key ?? own.name;
    if (typeof name !== 'string' || name === '') return [];
    const { description } = own;
    const parameters = jsonSchemaOf(own.parameters ?? own.inputSchema ?? own.input_schema ?? own.parametersJsonSchema);
    return [
      {
        name,
        ...(typeof description === 'string' ? { description } : {}),
        ...(parameters === undefined ? {} : { parameters }),
      },
    ];
  });
}

/** Unpacks Gemini's lists of declarations. */
function declarationsIn(tool: unknown): readonly unknown[] {
  return isObject(tool) && Array.isArray(tool.functionDeclarations) ? tool.functionDeclarations : [tool];
}

/** Returns the JSON Schema of a schema in any form that offers one: itself, an AI SDK schema, or Standard JSON Schema. */
function jsonSchemaOf(schema: unknown): State | undefined {
  try {
    if (typeof schema === 'function') return undefined;
    if (!isObject(schema)) return undefined;
    if (isObject(schema.jsonSchema)) return plain(schema.jsonSchema);
    const standard = schema['~standard'];
    const converter = isObject(standard) ? standard.jsonSchema : undefined;
    if (isObject(converter) && typeof converter.input === 'function') {
      return plain(converter.input({ target: 'draft-07' }));
    }
    if (typeof schema.toJSONSchema === 'function') return plain(schema.toJSONSchema());
    return standard === undefined && ('type' in schema || 'properties' in schema || '$ref' in schema)
      ? plain(schema)
      : undefined;
  } catch {
    // A schema with transforms may have no JSON form.
    return undefined;
  }
}

/** Copies a value as JSON, so that a declaration holds no functions. */
function plain(value: unknown): State | undefined {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isObject(copy) ? (copy as State) : undefined;
}
