import { type KeyObject, sign } from 'node:crypto';
import { cborEncode } from '@owf/mdoc';
import { SignedXml } from 'xml-crypto';
import { DAY, makeCertificate, type TestCertificate, testKeys } from './certificates.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signers = new Map<string, TestCertificate>();

function signer(name: 'P-256' | 'RSA', number: number): TestCertificate {
  const subject = `C=ZZ,O=Lists,CN=List signer ${name} ${number}`;
  const made = signers.get(subject) ?? makeCertificate({ subject, keys: testKeys(name, 50 + number) });
  signers.set(subject, made);
  return made;
}

/** A certificate that signs lists, the same one for a number. */
export const listSigner = (number = 0): TestCertificate => signer('P-256', number);

/** The same with an RSA key. */
export const rsaListSigner = (number = 0): TestCertificate => signer('RSA', number);

/** What a VICAL says; members replace those of an ordinary one. */
export interface VicalSpec {
  entries?: { certificate: TestCertificate; docType?: unknown }[];
  members?: Record<string, unknown>;
  /** Without a chain the header is left out. */
  chain?: TestCertificate[];
  header?: Map<unknown, unknown>;
  key?: KeyObject;
}

export const MDL = 'org.iso.18013.5.1.mDL';

/** A VICAL (ISO 18013-5 C.1.7), signed with ES256 by the first certificate of the chain. */
export function makeVical({ entries = [], members = {}, chain = [listSigner()], header, key }: VicalSpec = {}): Buffer {
  const payload = cborEncode(
    new Map<string, unknown>(
      Object.entries({
        version: '1.0',
        vicalProvider: 'Example provider',
        date: new Date(Date.now() - DAY),
        vicalIssueID: 7,
        nextUpdate: new Date(Date.now() + DAY),
        certificateInfos: entries.map(
          ({ certificate, docType = [MDL] }) =>
            new Map<string, unknown>([
              ['certificate', certificate.der],
              ['serialNumber', 12345678901234567890n],
              ['ski', new Uint8Array(20)],
              ['docType', docType],
            ]),
        ),
        ...members,
      }),
    ),
  );
  const protectedHeader = cborEncode(header ?? new Map([[1, -7]]));
  const input = cborEncode(['Signature1', protectedHeader, new Uint8Array(), payload]);
  const privateKey = key ?? chain[0]?.keys.privateKey ?? listSigner().keys.privateKey;
  const signature = sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const ders = chain.map(({ der }) => der);
  const unprotected = new Map(ders.length === 0 ? [] : [[33, ders.length === 1 ? ders[0] : ders]]);
  return Buffer.from(cborEncode([protectedHeader, unprotected, payload, signature]));
}

/** One service of a list. */
export interface ServiceSpec {
  certificate: TestCertificate;
  type?: string | null;
  status?: string | null;
  since?: Date;
  /** Services with one name are of one entity; without a name all of XML are, and each of JSON is of its own. */
  entity?: string;
}

/** The services of each entity, in their order. */
function byEntity(services: readonly ServiceSpec[], nameOf: (service: ServiceSpec, index: number) => string) {
  const entities = new Map<string, ServiceSpec[]>();
  for (const [index, service] of services.entries()) {
    const name = service.entity ?? nameOf(service, index);
    entities.set(name, [...(entities.get(name) ?? []), service]);
  }
  return [...entities.values()];
}

/** What an ETSI list says. */
export interface ListSpec {
  services?: ServiceSpec[];
  type?: string;
  issuedAt?: Date;
  nextUpdate?: Date | null;
}

export const CA_QC = 'http://uri.etsi.org/TrstSvc/Svctype/CA/QC';
export const GRANTED = 'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted';
export const WITHDRAWN = 'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/withdrawn';
export const PID_ISSUANCE = 'http://uri.etsi.org/19602/SvcType/PID/Issuance';
export const PID_REVOCATION = 'http://uri.etsi.org/19602/SvcType/PID/Revocation';

const moment = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');
const soon = (): Date => new Date(Date.now() + DAY);
const before = (): Date => new Date(Date.now() - DAY);

/** An unsigned list in XML (ETSI TS 119 612); `inside` stands before the end of the scheme information. */
export function xmlList(spec: ListSpec = {}, inside = ''): string {
  const {
    services = [],
    type = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric',
    nextUpdate = soon(),
  } = spec;
  const service = ({ certificate, type: kind = CA_QC, status = GRANTED, since = before() }: ServiceSpec) =>
    `<TSPService><ServiceInformation><ServiceTypeIdentifier>${kind}</ServiceTypeIdentifier>
<ServiceName><Name xml:lang="en">Service</Name></ServiceName>
<ServiceDigitalIdentity><DigitalId><X509Certificate>${base64(certificate.der)}</X509Certificate></DigitalId></ServiceDigitalIdentity>
<ServiceStatus>${status}</ServiceStatus><StatusStartingTime>${moment(since)}</StatusStartingTime></ServiceInformation></TSPService>`;
  const provider = (own: ServiceSpec[]) =>
    `<TrustServiceProvider><TSPServices>${own.map(service).join('')}</TSPServices></TrustServiceProvider>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" Id="list" TSLTag="http://uri.etsi.org/19612/TSLTag">
<SchemeInformation><TSLVersionIdentifier>6</TSLVersionIdentifier><TSLType>${type}</TSLType>
<ListIssueDateTime>${moment(spec.issuedAt ?? before())}</ListIssueDateTime>
<NextUpdate>${nextUpdate ? `<dateTime>${moment(nextUpdate)}</dateTime>` : ''}</NextUpdate>${inside}</SchemeInformation>
<TrustServiceProviderList>${byEntity(services, () => '')
    .map(provider)
    .join('')}</TrustServiceProviderList>
</TrustServiceStatusList>`;
}

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** How a list in XML is signed. */
export interface XmlSigning {
  signer?: TestCertificate;
  /** What the reference covers; the whole list when absent. */
  xpath?: string;
  transforms?: string[];
  algorithm?: string;
  digest?: string;
  /** Whether the certificate is left out of the signature. */
  isBare?: boolean;
}

/** Signs a list in XML with an enveloped signature. */
export function signXml(text: string, signing: XmlSigning = {}): string {
  const { signer = rsaListSigner(), xpath = '/*', isBare = false } = signing;
  const { transforms = [ENVELOPED, EXCLUSIVE], algorithm = RSA_SHA256, digest = SHA256 } = signing;
  const signature = new SignedXml({
    privateKey: signer.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    publicCert: signer.pem,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: EXCLUSIVE,
    ...(isBare && { getKeyInfoContent: () => null }),
  });
  signature.addReference({ xpath, transforms, digestAlgorithm: digest, isEmptyUri: xpath === '/*' });
  signature.computeSignature(text);
  return signature.getSignedXml();
}

/** A list in JSON (ETSI TS 119 602). */
export function jsonList(spec: ListSpec = {}): Record<string, unknown> {
  const { services = [], type = 'http://uri.etsi.org/19602/LoTEType/EUPIDProvidersList', nextUpdate = soon() } = spec;
  const named = [{ lang: 'en', value: 'Example' }];
  return {
    LoTE: {
      ListAndSchemeInformation: {
        LoTEVersionIdentifier: 1,
        LoTESequenceNumber: 1,
        LoTEType: type,
        SchemeOperatorName: named,
        ListIssueDateTime: moment(spec.issuedAt ?? before()),
        ...(nextUpdate && { NextUpdate: moment(nextUpdate) }),
      },
      TrustedEntitiesList: byEntity(services, (_, index) => String(index)).map((own) => ({
        TrustedEntityInformation: { TEName: named },
        TrustedEntityServices: own.map(({ certificate, type: kind = PID_ISSUANCE, status = null, since }) => ({
          ServiceInformation: {
            ServiceName: named,
            ...(kind !== null && { ServiceTypeIdentifier: kind }),
            ...(status !== null && { ServiceStatus: status }),
            ...(since && { StatusStartingTime: moment(since) }),
            ServiceDigitalIdentity: { X509Certificates: [{ val: base64(certificate.der) }] },
          },
        })),
      })),
    },
  };
}

/** Signs a list in JSON as a compact JWS with ES256. */
export function signJson(payload: unknown, signer = listSigner(), header: Record<string, unknown> = {}): string {
  const protectedHeader = { alg: 'ES256', typ: 'JOSE', x5c: [base64(signer.der)], ...header };
  const input = `${encoded(protectedHeader)}.${encoded(payload)}`;
  const signature = sign('sha256', Buffer.from(input), { key: signer.keys.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}
