/** The elements: symbol, name, colour, covalent and van der Waals radius (Å). Row n is atomic number n; row 0 is unknown. */

export interface Element {
  readonly symbol: string;
  readonly name: string;
  /** As CSS writes it. */
  readonly colour: string;
  readonly covalent: number;
  readonly vdw: number;
}

const TABLE = `
X Unknown c0508c 0.40 2.00
H Hydrogen f2f2f0 0.31 1.20
He Helium d9ffff 0.28 1.40
Li Lithium cc80ff 1.28 1.82
Be Beryllium c2ff00 0.96 1.53
B Boron ffb5b5 0.84 1.92
C Carbon 6b7078 0.76 1.70
N Nitrogen 4468e8 0.71 1.55
O Oxygen e5383b 0.66 1.52
F Fluorine 7bd65a 0.57 1.47
Ne Neon b3e3f5 0.58 1.54
Na Sodium a565e0 1.66 2.27
Mg Magnesium 6fd43f 1.41 1.73
Al Aluminium b9a3a3 1.21 1.84
Si Silicon e0b184 1.11 2.10
P Phosphorus f08c1e 1.07 1.80
S Sulfur f0c929 1.05 1.80
Cl Chlorine 3fd13f 1.02 1.75
Ar Argon 7fcfe0 1.06 1.88
K Potassium 8d48cf 2.03 2.75
Ca Calcium 3dff00 1.76 2.31
Sc Scandium e6e6e6 1.70 2.00
Ti Titanium b4b8bf 1.60 2.00
V Vanadium a6a6ab 1.53 2.00
Cr Chromium 8a99c7 1.39 2.00
Mn Manganese 9c7ac7 1.39 2.00
Fe Iron dd6a3a 1.32 2.00
Co Cobalt ee90a3 1.26 2.00
Ni Nickel 58cf5c 1.24 1.63
Cu Copper c98038 1.32 1.40
Zn Zinc 8084ae 1.22 1.39
Ga Gallium c28f8f 1.22 1.87
Ge Germanium 668f8f 1.20 2.11
As Arsenic bd80e3 1.19 1.85
Se Selenium ffa100 1.20 1.90
Br Bromine a63c30 1.20 1.85
Kr Krypton 5cb8d1 1.16 2.02
Rb Rubidium 702eb0 2.20 3.03
Sr Strontium 00ff00 1.95 2.49
Y Yttrium 94ffff 1.90 2.00
Zr Zirconium 94e0e0 1.75 2.00
Nb Niobium 73c2c9 1.64 2.00
Mo Molybdenum 54b5b5 1.54 2.00
Tc Technetium 3b9e9e 1.47 2.00
Ru Ruthenium 248f8f 1.46 2.00
Rh Rhodium 0a7d8c 1.42 2.00
Pd Palladium 2f7f90 1.39 1.63
Ag Silver bfc2c9 1.45 1.72
Cd Cadmium ffd98f 1.44 1.58
In Indium a67573 1.42 1.93
Sn Tin 668080 1.39 2.17
Sb Antimony 9e63b5 1.39 2.06
Te Tellurium d47a00 1.38 2.06
I Iodine 8b2f97 1.39 1.98
Xe Xenon 429eb0 1.40 2.16
Cs Caesium 57178f 2.44 3.43
Ba Barium 00c900 2.15 2.49
La Lanthanum 70d4ff 2.07 2.00
Ce Cerium ffffc7 2.04 2.00
Pr Praseodymium d9ffc7 2.03 2.00
Nd Neodymium c7ffc7 2.01 2.00
Pm Promethium a3ffc7 1.99 2.00
Sm Samarium 8fffc7 1.98 2.00
Eu Europium 61ffc7 1.98 2.00
Gd Gadolinium 45ffc7 1.96 2.00
Tb Terbium 30ffc7 1.94 2.00
Dy Dysprosium 1fffc7 1.92 2.00
Ho Holmium 00ff9c 1.92 2.00
Er Erbium 00e675 1.89 2.00
Tm Thulium 00d452 1.90 2.00
Yb Ytterbium 00bf38 1.87 2.00
Lu Lutetium 00ab24 1.87 2.00
Hf Hafnium 4dc2ff 1.75 2.00
Ta Tantalum 4da6ff 1.70 2.00
W Tungsten 2194d6 1.62 2.00
Re Rhenium 267dab 1.51 2.00
Os Osmium 266696 1.44 2.00
Ir Iridium 175487 1.41 2.00
Pt Platinum cfd0dc 1.36 1.75
Au Gold f2c93a 1.36 1.66
Hg Mercury b8b8d0 1.32 1.55
Tl Thallium a6544d 1.45 1.96
Pb Lead 575961 1.46 2.02
Bi Bismuth 9e4fb5 1.48 2.07
Po Polonium ab5c00 1.40 1.97
At Astatine 754f45 1.50 2.02
Rn Radon 428296 1.50 2.20
Fr Francium 420066 2.60 3.48
Ra Radium 007d00 2.21 2.83
Ac Actinium 70abfa 2.15 2.00
Th Thorium 00baff 2.06 2.00
Pa Protactinium 00a1ff 2.00 2.00
U Uranium 008fff 1.96 1.86
Np Neptunium 0080ff 1.90 2.00
Pu Plutonium 006bff 1.87 2.00
Am Americium 545cf2 1.80 2.00
Cm Curium 785ce3 1.69 2.00
Bk Berkelium 8a4fe3 2.00 2.00
Cf Californium a136d4 2.00 2.00
Es Einsteinium b31fd4 2.00 2.00
Fm Fermium b31fba 2.00 2.00
Md Mendelevium b30da6 2.00 2.00
No Nobelium bd0d87 2.00 2.00
Lr Lawrencium c70066 2.00 2.00
Rf Rutherfordium cc0059 2.00 2.00
Db Dubnium d1004f 2.00 2.00
Sg Seaborgium d90045 2.00 2.00
Bh Bohrium e00038 2.00 2.00
Hs Hassium e6002e 2.00 2.00
Mt Meitnerium eb0026 2.00 2.00
Ds Darmstadtium d04f8a 2.00 2.00
Rg Roentgenium d04f8a 2.00 2.00
Cn Copernicium d04f8a 2.00 2.00
Nh Nihonium d04f8a 2.00 2.00
Fl Flerovium d04f8a 2.00 2.00
Mc Moscovium d04f8a 2.00 2.00
Lv Livermorium d04f8a 2.00 2.00
Ts Tennessine d04f8a 2.00 2.00
Og Oganesson d04f8a 2.00 2.00
`;

export const ELEMENTS: readonly Element[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [symbol = "", name = "", colour, covalent, vdw] = line.split(" ");
    return { symbol, name, colour: `#${colour}`, covalent: Number(covalent), vdw: Number(vdw) };
  });

export function element(number: number): Element {
  return ELEMENTS[number] ?? ELEMENTS[0]!;
}

/** Red, green, blue of each element as bytes, three for each atomic number. */
export const ELEMENT_COLOURS: Uint8Array = Uint8Array.from(
  ELEMENTS.flatMap(({ colour }) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))),
);
