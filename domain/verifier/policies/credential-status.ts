import type { EntryStatus } from '../../credentials/credential-status.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { asList, isObject, type JsonObject } from '../../foundation/json.ts';
import { readMembers, readRequiredText } from './arguments.ts';
import { failed, nothingToCheck, type PolicyOutcome, passed, policyWithArgs } from './policy.ts';

/** One demanded status: the values that are accepted of the entries of a type and purpose. */
interface Demand {
  type: string;
  /** In lower case; absent for a list whose values state their meaning. */
  purpose?: string;
  values: number[];
}

const MAX_DEMANDS = 10;
const MAX_VALUES = 256;

/** The type of the list of an entry. */
const listType = (type: string): string => type.replace(/(?:Entry|Status)$/, '');

function readValues({ value, values }: JsonObject): number[] {
  if ((value === undefined) === (values === undefined)) throw invalidField(['value'], 'needs either value or values');
  const list = value === undefined ? asList(values) : [value];
  const isList = list.length > 0 && list.length <= MAX_VALUES && list.every(isValue);
  if (isList) return list.filter(isValue);
  throw invalidField([value === undefined ? 'values' : 'value'], 'must be a whole number, or a list of them');
}

const isValue = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function readListed(value: unknown, names: readonly string[]): Demand {
  const members = readMembers(value, [...names, 'purpose', 'type', 'value', 'values']);
  const [type, purpose] = [readRequiredText(members, 'type'), readRequiredText(members, 'purpose')];
  return { type: listType(type), purpose: purpose.toLowerCase(), values: readValues(members) };
}

function readList(value: unknown): Demand[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DEMANDS)
    throw invalidField([], `must be a list of 1 to ${MAX_DEMANDS} statuses`);
  return value.map((one, index) => at([index], () => readListed(one, ['discriminator'])));
}

/** The kinds of an argument by its discriminator. */
const KINDS: ReadonlyMap<unknown, (args: JsonObject) => Demand[]> = new Map([
  ['w3c', (args: JsonObject) => [readListed(args, ['discriminator'])]],
  [
    'w3c-list',
    (args: JsonObject) => {
      const { list } = readMembers(args, ['discriminator', 'list']);
      return at(['list'], () => readList(list));
    },
  ],
  [
    'ietf',
    (args: JsonObject) => {
      const members = readMembers(args, ['discriminator', 'value', 'values']);
      return [{ type: 'TokenStatusList', values: readValues(members) }];
    },
  ],
]);

/** Reads the demands of an argument. @throws DomainError `BadRequest` */
function readDemands(args: unknown): Demand[] {
  if (!isObject(args)) throw invalidField([], 'must be an object');
  const kind = KINDS.get(args.discriminator);
  if (!kind) throw invalidField(['discriminator'], `must be one of ${[...KINDS.keys()].join(', ')}`);
  return kind(args);
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** Why the entries do not satisfy a demand; undefined when they do. Every entry of the demanded kind must. */
function problemOf({ type, purpose, values }: Demand, entries: readonly EntryStatus[]): PolicyOutcome | undefined {
  const ofPurpose = entries.filter((entry) => entry.purpose === purpose);
  const found = ofPurpose.filter((entry) => isSame(listType(entry.type), type));
  const [other] = ofPurpose;
  if (found.length === 0)
    return failed('status-missing', {
      reason: other
        ? `Type validation failed: expected ${type}, but got ${listType(other.type)}`
        : `Purpose validation failed: the credential has no status ${purpose ?? `of a ${type}`}`,
    });
  const wrong = found.find(({ value }) => !values.includes(value));
  if (!wrong) return undefined;
  const message = wrong.message === undefined ? '' : ` (${wrong.message})`;
  return failed('status-set', {
    reason: `Status validation failed: expected ${values.join(' or ')}, but got ${wrong.value}${message}`,
  });
}

/** What a result shows of an entry. */
const shown = ({ type, purpose, value, message }: EntryStatus): JsonObject => ({
  type,
  ...(purpose !== undefined && { purpose }),
  value,
  ...(message !== undefined && { message }),
});

const VALUES = {
  value: { type: 'integer', minimum: 0 },
  values: { type: 'array', minItems: 1, maxItems: MAX_VALUES, items: { type: 'integer', minimum: 0 } },
};
const LISTED = {
  type: 'object',
  required: ['purpose', 'type'],
  oneOf: [{ required: ['value'] }, { required: ['values'] }],
  additionalProperties: false,
  properties: {
    discriminator: { const: 'w3c' },
    purpose: { type: 'string', description: 'Such as revocation or suspension.' },
    type: { type: 'string', description: 'Such as BitstringStatusList or StatusList2021.' },
    ...VALUES,
  },
};

/** The `credential-status` policy: the lists of the issuer have the demanded values for the credential. */
export const credentialStatus = policyWithArgs<JsonObject>({
  description: 'Checks the values that status lists have for the credential',
  stage: 'status',
  dependsOn: ['signature'],
  argument: {
    schema: {
      oneOf: [
        { ...LISTED, required: ['discriminator', 'purpose', 'type'] },
        {
          type: 'object',
          required: ['discriminator', 'list'],
          additionalProperties: false,
          properties: {
            discriminator: { const: 'w3c-list' },
            list: { type: 'array', minItems: 1, maxItems: MAX_DEMANDS, items: LISTED },
          },
        },
        {
          type: 'object',
          required: ['discriminator'],
          oneOf: LISTED.oneOf,
          additionalProperties: false,
          properties: { discriminator: { const: 'ietf' }, ...VALUES },
        },
      ],
      examples: [
        { discriminator: 'w3c', type: 'BitstringStatusList', purpose: 'revocation', value: 0 },
        { discriminator: 'ietf', values: [0] },
      ],
    },
    member: 'argument',
    read: (args) => {
      readDemands(args);
      return isObject(args) ? args : {};
    },
  },
  vc: async ({ credential }, { statuses, args }) => {
    const entries = await statuses.entries(credential);
    if (entries.length === 0) return nothingToCheck('The credential has no status');
    const problems = readDemands(args).flatMap((demand) => problemOf(demand, entries) ?? []);
    const [first] = problems;
    if (!first) return passed({ statuses: entries.map(shown) }, { reason: 'The status is the demanded one' });
    const reason = problems.map((problem) => problem.reason).join('\n');
    return problems.length === 1 ? first : failed(first.code, { reason: `Verification failed: ${reason}` });
  },
});
