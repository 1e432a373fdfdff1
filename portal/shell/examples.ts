import type { Schemas } from '../../client/client.ts';
import { api, ask, type Outcome } from './api.ts';
import { go, to } from './place.ts';

type Profile = Schemas['IssuanceProfile'];

/** The card of the tour, where the operator has not configured other profiles. */
const EXAMPLE = 'IdentityCredential_dc-sd-jwt';

/** The profile that the tour uses: the built-in identity card, else the first. */
async function exampleProfile(profileId?: string): Promise<Outcome<Profile>> {
  const listed = await ask(api.GET('/issuer2/profiles'));
  if (!listed.ok) return listed;
  const profile = listed.data.find((one) => one.profileId === (profileId ?? EXAMPLE)) ?? listed.data[0];
  return profile ? { ok: true, data: profile } : { ok: false, failure: { kind: 'refused', status: 404 } };
}

/** Makes an offer of a profile, of the tour's when none is named; gives the page of its session. */
export async function offerExample(profileId?: string): Promise<Outcome<string>> {
  const profile = await exampleProfile(profileId);
  if (!profile.ok) return profile;
  const body = { profileId: profile.data.profileId, authMethod: 'PRE_AUTHORIZED' } as const;
  const offer = await ask(api.POST('/issuer2/credential-offers', { body }));
  if (!offer.ok) return offer;
  return { ok: true, data: to(`/issue/session/${offer.data.offerId}`, { offer: offer.data.credentialOffer }) };
}

/** Asks for a credential of a profile, of the tour's when none is named; gives the page of its session. */
export async function requestExample(profileId?: string): Promise<Outcome<string>> {
  const profile = await exampleProfile(profileId);
  if (!profile.ok) return profile;
  const body: Schemas['VerificationSessionSetup'] = {
    flow_type: 'cross_device',
    core_flow: {
      dcql_query: { credentials: [queryOf(profile.data)] },
      policies: { vc_policies: ['signature', 'expiration', 'revoked-status-list'] },
    },
  };
  const session = await ask(api.POST('/verification-session/create', { body }));
  return session.ok ? { ok: true, data: to(`/verify/session/${session.data.sessionId}`) } : session;
}

/** The DCQL query for one claim of a profile: the family name, else the first that the profile has. */
function queryOf({ format, vct, doctype, types = [], credentialData }: Profile) {
  const [namespace = '', elements] = Object.entries(credentialData)[0] ?? [];
  if (format === 'mso_mdoc')
    return query({ format, meta: { doctype_value: doctype }, path: [namespace, claimOf(elements)] });
  if (vct !== undefined) return query({ format, meta: { vct_values: [vct] }, path: [claimOf(credentialData)] });
  const path = ['credentialSubject', claimOf(credentialData.credentialSubject)];
  return query({ format, meta: { type_values: [types.slice(-1)] }, path });
}

const query = ({ format, meta, path }: { format: string; meta: object; path: string[] }) => ({
  id: 'card',
  format,
  meta,
  claims: [{ path }],
});

function claimOf(data: unknown): string {
  const names = typeof data === 'object' && data !== null ? Object.keys(data) : [];
  return names.find((name) => name === 'family_name') ?? names[0] ?? '';
}

/** Opens the page that a step made. */
export const open = (page: string): void => go(page);
