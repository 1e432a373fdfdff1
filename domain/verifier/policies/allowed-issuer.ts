import { invalidField } from '../../foundation/errors.ts';
import { asList, isText } from '../../foundation/json.ts';
import { failed, type PolicyOutcome, passed, policyWithArgs } from './policy.ts';

function check(issuer: string, allowed: string | string[]): PolicyOutcome {
  const allowedIssuers = [allowed].flat();
  if (allowedIssuers.includes(issuer)) return passed(issuer, { reason: 'The issuer is allowed' });
  const reason = issuer === '' ? 'No issuer is named' : `${issuer.slice(0, 200)} is not among the allowed issuers`;
  return failed('issuer-not-allowed', { reason, error: { type: 'NotAllowedIssuerException', issuer, allowedIssuers } });
}

/** The `allowed-issuer` policy: the issuer of the credential, or the presenter, is in the list `args`. */
export const allowedIssuer = policyWithArgs<string | string[]>({
  description: 'Checks the issuer against one or a list of issuers given as args',
  argument: {
    schema: {
      description: 'The DID, the URL or the certificate subject of one issuer, or a list of them',
      oneOf: [
        { type: 'string', minLength: 1 },
        { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
      ],
      examples: ['did:web:issuer.example.org', ['https://issuer.example.org', 'did:web:issuer.example.org']],
    },
    member: 'allowed_issuer',
    read: (args) => {
      const allowed = asList(args).filter(isText);
      if (allowed.length === 0 || allowed.length !== asList(args).length)
        throw invalidField([], 'must be an issuer or a list of issuers');
      return isText(args) ? args : allowed;
    },
  },
  vp: ({ presentation: { holder = '' } }, { args }) => check(holder, args),
  vc: ({ credential: { issuer } }, { args }) => check(issuer.id, args),
});
