import { isText, type JsonObject } from '../../foundation/json.ts';
import { isSecretText, withoutSecrets } from './secrets.ts';

/** An organization, a tenant or a service; a service has members of its own besides. */
export interface ResourceContent {
  type: string;
}

/** The settings of a service that are shown, with their checks; every other setting may be a secret under any name. */
const SHOWN_SETTINGS = new Map<string, (value: unknown) => boolean>([
  ['type', isPlainText],
  ['dependencies', (value) => Array.isArray(value) && value.every(isPlainText)],
  ['traversable', (value) => typeof value === 'boolean'],
  ['name', isPlainText],
  ['description', isPlainText],
  ['baseUrl', isPlainText],
  ['kms', isPlainText],
  ['tokenKeyId', isPlainText],
]);

/** Returns what callers see of an organization, a tenant or a service: no secrets, and of a service known settings only. */
export function shownResource(content: ResourceContent & JsonObject): ResourceContent & JsonObject {
  if (content.type === 'organization' || content.type === 'tenant') return withoutSecrets(content);
  const shown = Object.entries(content).filter(([name, value]) => SHOWN_SETTINGS.get(name)?.(value));
  return Object.assign(Object.fromEntries(shown), { type: content.type });
}

/** The services that a service depends on, as it shows them. */
export const dependenciesOf = ({ dependencies }: JsonObject): readonly string[] =>
  Array.isArray(dependencies) ? dependencies.filter((target) => isText(target)) : [];

function isPlainText(value: unknown): boolean {
  return typeof value === 'string' && !isSecretText(value);
}
