import type { JsonSchema } from '@agent-criteria/core';
import type { Setting } from './settings/setting.ts';
import { textSettingOf } from './settings/setting-texts.ts';
import { settingTypes } from './settings/setting-type.ts';
import { settingNames, settings } from './settings/settings.ts';

/** Builds the JSON Schema of `agent-criteria.config.json` for editors, leaving out settings that only code can set. */
export function configSchema(): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    $schema: { type: 'string', description: 'The address of this schema.' },
  };
  for (const name of settingNames) {
    const setting = settings[name];
    const { schema, inEditors } = settingTypes[setting.type];
    if (schema === undefined) continue;
    const described = { ...schema(setting), ...inEditors, description: descriptionOf(setting), ...defaultOf(setting) };
    const [key = '', inner] = name.split('.');
    if (inner === undefined) properties[key] = described;
    else {
      const group = properties[key] ?? { type: 'object', properties: {}, additionalProperties: false };
      properties[key] = { ...group, properties: { ...(group.properties as object), [inner]: described } };
    }
  }
  for (const [key, group] of Object.entries(properties)) {
    const name = textSettingOf(key);
    if (name === undefined) continue;
    const { text } = settingTypes[settings[name].type];
    const description = `As the flag has it: ${text?.placeholder(settings[name])}.`;
    properties[key] = { anyOf: [{ type: 'string', minLength: 1, description }, group] };
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'agent-criteria.config',
    type: 'object',
    properties,
    additionalProperties: false,
  };
}

function descriptionOf({ description, type, without }: Setting): string {
  const unit = type === 'duration' ? ', with its unit, such as "5m"; a bare number is in milliseconds' : '';
  const otherwise = without === undefined ? '' : ` Default: ${without}.`;
  return `${description[0]?.toUpperCase()}${description.slice(1)}${unit}.${otherwise}`;
}

function defaultOf({ default: value }: Setting): { readonly default?: boolean | number | string } {
  return value === undefined ? {} : { default: value };
}
