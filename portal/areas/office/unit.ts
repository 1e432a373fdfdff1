import type { Schemas } from '../../../client/client.ts';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { settings } from '../../shell/settings.ts';

export type Resource = Schemas['Resource'];

type WrittenService = Pick<Schemas['WrittenService'], 'type' | 'dependencies'> & Record<string, unknown>;

/** A unit to make. */
interface Unit {
  target: string;
  name: string;
  /** Whether the tenant is there already. */
  isThere: boolean;
  /** The country of its certificates (ISO 3166-1 alpha-2); without it no mdocs can be issued. */
  country?: string;
}

/** The services of a unit but for the issuer, in the order in which they are made; the verifier keeps nothing that it has handed over. */
function servicesOf(unit: string): Record<string, WrittenService> {
  const at = (...names: string[]): string[] => names.map((name) => `${unit}.${name}`);
  return {
    keys: { type: 'kms' },
    certificates: { type: 'x509-store' },
    certifier: { type: 'x509-service', dependencies: at('keys', 'certificates') },
    trust: { type: 'trust-registry' },
    status: { type: 'credential-status', dependencies: at('keys') },
    verifier: {
      type: 'verifier2',
      dependencies: at('keys', 'trust', 'certificates'),
      presentedData: 'deleteOnHandover',
    },
  };
}

/** What is there from an attempt that was cut off is no failure. */
const orThere = <T>(outcome: Outcome<T>): Outcome<T | undefined> =>
  !outcome.ok && outcome.failure.kind === 'refused' && outcome.failure.status === 409
    ? { ok: true, data: undefined }
    : outcome;

const makeServices = (target: string, services: Record<string, WrittenService>) =>
  ask(api.POST('/v1/{target}/resource-api/services/init', { params: { path: { target } }, body: { services } }));

/** Makes the tenant, its services, the certificates and at last the issuer, which is named in them; repeated, it goes on where it was cut off. */
export async function makeUnit({ target, name, isThere, country }: Unit): Promise<Outcome<Resource[]>> {
  if (!isThere) {
    const call = api.POST('/v1/{target}/resource-api/tenants/create', { params: { path: { target } }, body: { name } });
    const made = orThere(await ask(call));
    if (!made.ok) return made;
  }
  const services = await makeServices(target, servicesOf(target));
  if (!services.ok) return services;
  const signer = country === undefined ? undefined : await certify({ target, name, country });
  if (signer && !signer.ok) return signer;
  const dependencies = ['keys', 'status', 'certificates'].map((one) => `${target}.${one}`);
  const issuer = await makeServices(target, { issuer: { type: 'issuer2', dependencies, ...signer?.data } });
  return issuer.ok ? { ok: true, data: [...services.data, ...issuer.data] } : issuer;
}

/** The longest name in a certificate. */
const LONGEST_NAME = 64;

/** Makes the key of an authority and that of a signer with their certificates; returns the signer as an issuer names it. */
async function certify({ target, name, country }: Pick<Unit, 'target' | 'name'> & { country: string }) {
  const { publicUrl: uri } = settings();
  const common = { country, organizationName: name.slice(0, LONGEST_NAME).trim() };
  const iaca = { kid: `${target}.keys.iaca`, certificate: `${target}.certificates.iaca` };
  const signer = { kid: `${target}.keys.signer`, certificate: `${target}.certificates.signer` };
  const params = { path: { target: `${target}.certifier` } };
  const steps = [
    ...[iaca, signer].map(({ kid }) => () => {
      const body = { keyType: 'secp256r1' as const };
      return ask(api.POST('/v1/{target}/kms-service-api/keys/generate', { params: { path: { target: kid } }, body }));
    }),
    () => {
      const certificateData = { ...common, commonName: 'Issuing authority', issuerAlternativeNameConf: { uri } };
      const body = { kid: iaca.kid, certificateId: 'iaca', certificateData };
      return ask(api.POST('/v1/{target}/x509-service-api/iacas', { params, body }));
    },
    () => {
      const certificateData = { ...common, commonName: 'Document signer' };
      const body = { kid: signer.kid, certificateId: 'signer', iaca, certificateData };
      return ask(api.POST('/v1/{target}/x509-service-api/signers', { params, body }));
    },
  ];
  for (const step of steps) {
    const done = orThere<unknown>(await step());
    if (!done.ok) return done;
  }
  const path = { target: signer.certificate };
  const read = await ask(api.GET('/v1/{target}/x509-store-api/certificates', { params: { path } }));
  if (!read.ok) return read;
  const pems = [read.data].flat().map(({ data }) => data.pem);
  return { ok: true as const, data: { defaultIssuerKey: signer.kid, defaultIssuerX5chain: pems } };
}
