import { at, invalidField, isDomainError } from '../../foundation/errors.ts';
import { readFlag, readMembers, readRequiredText } from './arguments.ts';
import { type Evaluate, failed, passed, policyWithArgs, type Subject } from './policy.ts';

/** A pattern for the value at a path. */
interface RegexArgs {
  path: string;
  regex: string;
  regex_options?: string[];
  allowNull: boolean;
}

const OPTIONS = ['IGNORE_CASE', 'MULTILINE'];

function read(args: unknown): RegexArgs {
  const members = readMembers(args, ['path', 'regex', 'regex_options', 'allowNull']);
  const { regex_options: options } = members;
  if (options !== undefined && !isOptions(options))
    throw invalidField(['regex_options'], `must be a list of ${OPTIONS.join(' and ')}`);
  return {
    path: readRequiredText(members, 'path'),
    regex: readRequiredText(members, 'regex'),
    ...(options !== undefined && { regex_options: options }),
    allowNull: readFlag(members, 'allowNull'),
  };
}

const isOptions = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((option) => OPTIONS.includes(option));

const optionsOf = ({ regex_options: options = [] }: RegexArgs) => ({
  ignoreCase: options.includes('IGNORE_CASE'),
  multiline: options.includes('MULTILINE'),
});

const run: Evaluate<Subject, RegexArgs> = ({ document }, { paths, patterns, args }) => {
  const [found] = paths.compile(args.path)(document);
  if (found === undefined || found === null) {
    if (args.allowNull) return passed({ value: null }, { reason: `There is no value at ${args.path}` });
    return failed('missing-claim', { reason: `There is no value at ${args.path}` });
  }
  const value = typeof found === 'string' ? found : JSON.stringify(found);
  const groups = patterns.compile(args.regex, optionsOf(args))(value);
  if (groups) return passed({ value, groups }, { reason: `The value at ${args.path} matches` });
  return failed('pattern-mismatch', { reason: `The value at ${args.path} does not match the pattern` });
};

/** The `regex` policy: the value at a path matches a pattern as a whole. */
export const regex = policyWithArgs<RegexArgs>({
  description: 'Matches the value at a JSONPath with a regular expression, as a whole',
  argument: {
    schema: {
      type: 'object',
      required: ['path', 'regex'],
      additionalProperties: false,
      properties: {
        path: { type: 'string', description: 'A JSONPath (RFC 9535); the first value that it finds counts.' },
        regex: { type: 'string', description: 'A pattern of ECMAScript without look-around and back-references.' },
        regex_options: { type: 'array', items: { enum: OPTIONS } },
        allowNull: { type: 'boolean', default: false, description: 'Accepts a document without such a value.' },
      },
      examples: [{ path: '$.credentialSubject.degree.type', regex: '(Bachelor|Master)Degree' }],
    },
    read,
    check: (args, { paths, patterns }) => {
      at(['path'], () => asField(() => paths.compile(args.path)));
      at(['regex'], () => asField(() => patterns.compile(args.regex, optionsOf(args))));
    },
  },
  vp: run,
  vc: run,
});

function asField<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw isDomainError(error, 'BadRequest') ? invalidField([], error.message) : error;
  }
}
