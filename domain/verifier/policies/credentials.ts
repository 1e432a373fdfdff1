import { invalidField } from '../../foundation/errors.ts';
import { asList, isText } from '../../foundation/json.ts';
import { failed, type Policy, type PolicyContext, passed } from './policy.ts';

/** The `presentation-definition` policy: the query is satisfied, and no required relation between credentials is broken. */
export const presentationDefinition: Policy = {
  description: 'Checks that the presented credentials satisfy the presentation definition',
  scopes: ['vp'],
  run: (_subject, { presentations, query, matches }) => {
    const missing = matches.flatMap(({ queryId, met }) => (met ? [] : queryId));
    if (!query.isSatisfied(matches))
      return failed({ type: 'PresentationDefinitionException', presentationDefinitionMatch: false, missing });
    const broken = query.brokenConstraint(presentations, matches);
    if (broken) return failed({ type: 'PresentationDefinitionRelationalConstraintException', ...broken });
    return passed(presentations.flatMap(({ credentials }) => credentials.map(({ type }) => type)));
  },
};

/** The `holder-binding` policy: the presenter is the subject of every credential. */
export const holderBinding: Policy = {
  description: 'Checks that the presenter is the subject of every credential',
  scopes: ['vp'],
  run: (_subject, { presentation: { holder, credentials } }) => {
    if (holder === undefined) return failed('The presentation names no presenter');
    const presenterDid = withoutFragment(holder);
    const credentialDids = credentials.map(({ subject }) => withoutFragment(subject ?? ''));
    const isBound = credentialDids.every((did) => did === presenterDid);
    return isBound ? passed(presenterDid) : failed({ type: 'HolderBindingException', presenterDid, credentialDids });
  },
};

const withoutFragment = (did: string): string => did.split('#')[0] ?? '';

/** The `minimum-credentials` policy: there are at least `args` credentials. */
export const minimumCredentials: Policy = {
  description: 'Demands at least the number of credentials given as args',
  scopes: ['vp'],
  readArgs: readCount,
  run: (_subject, { presentations, args }) => {
    const [total, least] = [countCredentials(presentations), Number(args)];
    if (total < least) return failed({ type: 'MinimumCredentialsException', total, missing: least - total });
    return passed({ total, extra: total - least });
  },
};

/** The `maximum-credentials` policy: there are at most `args` credentials. */
export const maximumCredentials: Policy = {
  description: 'Allows at most the number of credentials given as args',
  scopes: ['vp'],
  readArgs: readCount,
  run: (_subject, { presentations, args }) => {
    const [total, most] = [countCredentials(presentations), Number(args)];
    if (total > most) return failed({ type: 'MaximumCredentialsException', total, exceeded: total - most });
    return passed({ total, remaining: most - total });
  },
};

const countCredentials = (presentations: PolicyContext['presentations']): number =>
  presentations.reduce((sum, { credentials }) => sum + credentials.length, 0);

function readCount(args: unknown): number {
  if (!Number.isSafeInteger(args) || Number(args) < 0) throw invalidField([], 'must be a whole number of credentials');
  return Number(args);
}

/** The `allowed-issuer` policy: the issuer is in the list `args`. */
export const allowedIssuer: Policy = {
  description: 'Checks the issuer against one or a list of issuers given as args',
  scopes: ['vp', 'vc'],
  readArgs: (args) => {
    const allowed = asList(args);
    if (allowed.length === 0 || !allowed.every(isText))
      throw invalidField([], 'must be an issuer or a list of issuers');
    return args;
  },
  run: ({ issuer }, { args }) => {
    const allowedIssuers = asList(args);
    if (allowedIssuers.includes(issuer)) return passed(issuer);
    return failed({ type: 'NotAllowedIssuerException', issuer, allowedIssuers });
  },
};
