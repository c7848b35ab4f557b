import { type JsonSchema, type OptionsSchema, optionsSchema } from '@agent-criteria/core';

/** What is wrong with options, and the keys that lead there. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Options as a JSON Schema describes them, with rules that it cannot express. */
export function describedOptions<Options>(
  jsonSchema: JsonSchema & { readonly type: 'object'; readonly properties: object },
  issuesOf: (options: Options) => readonly Issue[],
): OptionsSchema<Options, Options> {
  const described = optionsSchema(jsonSchema);
  return {
    jsonSchema,
    '~standard': {
      version: 1,
      vendor: 'agent-criteria',
      validate(value) {
        const result = described['~standard'].validate(value);
        if (result.issues !== undefined) return { issues: result.issues };
        const options = result.value as Options;
        const issues = issuesOf(options);
        return issues.length > 0 ? { issues } : { value: options };
      },
    },
  };
}

/** What `work` says is wrong, at this place: nothing where it does not throw. */
export function issueOf(path: Issue['path'], work: () => unknown): readonly Issue[] {
  try {
    work();
    return [];
  } catch (error) {
    return [{ path, message: error instanceof Error ? error.message : String(error) }];
  }
}
