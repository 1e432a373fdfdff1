import { at, invalidField } from '../../foundation/errors.ts';
import { isText } from '../../foundation/json.ts';
import { readMembers } from './arguments.ts';
import { failed, passed, policyWithArgs } from './policy.ts';

/** A credential that must be among those presented: of one type, or of any of several. */
type Requirement = { credential_type: string } | { any_of: string[] };

const MAX_REQUIREMENTS = 64;

function readRequirement(value: unknown): Requirement {
  const { credential_type: type, any_of: types } = readMembers(value, ['credential_type', 'any_of']);
  if ((type === undefined) === (types === undefined)) throw invalidField([], 'needs credential_type or any_of');
  if (type !== undefined) {
    if (isText(type) && type.trim() !== '') return { credential_type: type };
    throw invalidField(['credential_type'], 'must be a credential type');
  }
  if (!Array.isArray(types) || types.length > MAX_REQUIREMENTS)
    throw invalidField(['any_of'], 'must be a list of types');
  for (const [index, one] of types.entries())
    if (!isText(one) || one.trim() === '') throw invalidField(['any_of', index], 'must be a credential type');
  return { any_of: types.filter(isText) };
}

const typesOf = (requirement: Requirement): string[] =>
  'any_of' in requirement ? requirement.any_of : [requirement.credential_type];

const TYPE = { type: 'string', minLength: 1 };

/** The `vp_required_credentials` policy: credentials of these types are among those presented. */
export const vpRequiredCredentials = policyWithArgs<{ required: Requirement[] }>({
  description: 'Demands that credentials of the given types are presented',
  argument: {
    schema: {
      type: 'object',
      required: ['required'],
      additionalProperties: false,
      properties: {
        required: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_REQUIREMENTS,
          items: {
            type: 'object',
            oneOf: [
              { required: ['credential_type'], properties: { credential_type: TYPE } },
              {
                required: ['any_of'],
                properties: { any_of: { type: 'array', maxItems: MAX_REQUIREMENTS, items: TYPE } },
              },
            ],
          },
        },
      },
      examples: [{ required: [{ credential_type: 'VerifiableId' }, { any_of: ['Passport', 'DriversLicence'] }] }],
    },
    read: (args) => {
      const { required } = readMembers(args, ['required']);
      if (!Array.isArray(required) || required.length === 0 || required.length > MAX_REQUIREMENTS)
        throw invalidField(['required'], `must be a list of 1 to ${MAX_REQUIREMENTS} requirements`);
      return { required: required.map((one, index) => at(['required', index], () => readRequirement(one))) };
    },
  },
  vp: (_subject, { response: { credentials }, args: { required } }) => {
    const presented = credentials.map(({ type }) => type);
    const demanded = required.map(typesOf).filter((types) => types.length > 0);
    const missing = demanded.filter((types) => !types.some((type) => presented.includes(type)));
    if (missing.length === 0) return passed({ presented_types: presented });
    const reasons = missing.map((types) => `Missing required credential: ${types.join(' OR ')}`);
    return failed('credentials-missing', { reason: reasons.join('; ') });
  },
});
