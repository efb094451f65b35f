#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the scalar forms of PTX, one a line, as form.hpp reads them: <a|b> stands for either.

What sm_90a does not have is left in; ptxas decides (record.py). Not here: the approximate functions
(tests/golden/arithmetic and docs/arithmetic.md speak of those), matrices, bulk copies, barriers.
"""
import re

seen = {}


def form(*patterns):
    """Adds every choice of <a|b|c>."""
    for pattern in patterns:
        m = re.search(r'<([^<>]*)>', pattern)
        if m:
            for choice in m.group(1).split('|'):
                form(pattern[:m.start()] + choice + pattern[m.end():])
        else:
            seen[pattern] = True


def result(kind):
    if kind == 'p':
        return 'P'
    if kind in ('f16', 'bf16', 'u16'):
        return 'R16'
    return {'u64': 'R64', 'f64': 'R64', 'u128': 'R128'}.get(kind, 'R32')


def kind(type_):
    """The kind of an operand of a PTX type."""
    if type_ in ('f16', 'bf16', 'f16x2', 'bf16x2', 'f32', 'f64'):
        return type_
    if type_ == 'pred':
        return 'p'
    if type_.endswith('x2'):
        return 'u32'
    return {'8': 'u16', '6': 'u16', '2': 'u32', '4': 'u64'}[type_[-1]]


def typed(pattern, types):
    """TY is the type, O its result, I a source of it."""
    for t in types:
        p = pattern.replace('TY', t)
        op, operands = p.split(' ', 1)
        operands = re.sub(r'\bO\b', result(kind(t)), operands)
        operands = re.sub(r'\bI\b', kind(t), operands)
        form(op + ' ' + operands)


INT = ['u16', 's16', 'u32', 's32', 'u64', 's64']
WIDE = ['u32', 's32', 'u64', 's64']
BITS = ['b16', 'b32', 'b64']
HALF = ['f16', 'bf16', 'f16x2', 'bf16x2']
ROUND = '<|.rn|.rz|.rm|.rp>'


def integers():
    typed('<add|sub><|.sat>.TY O,I,I', INT + ['u16x2', 's16x2'])
    typed('mul<|.lo|.hi>.TY O,I,I', INT)
    typed('mad<|.lo|.hi><|.sat>.TY O,I,I,I', INT)
    form('<mul.wide.u16|mul.wide.s16> R32,u16,u16', '<mul.wide.u32|mul.wide.s32> R64,u32,u32',
         'mad.wide.<u16|s16> R32,u16,u16,u32', 'mad.wide.<u32|s32> R64,u32,u32,u64')
    typed('mul24<.lo|.hi>.TY O,I,I', ['u32', 's32'])
    typed('mad24<.lo|.hi>.TY O,I,I,I', ['u32', 's32'])
    form('mad24.hi.sat.s32 R32,u32,u32,u32')
    typed('sad.TY O,I,I,I', INT)
    typed('<div|rem>.TY O,I,I', INT)
    typed('<abs|neg>.TY O,I', INT + ['s16x2'])
    typed('<min|max><|.relu>.TY O,I,I', INT + ['u16x2', 's16x2'])
    typed('<popc|clz>.TY R32,I', ['b32', 'b64'])
    typed('bfind<|.shiftamt>.TY R32,I', WIDE)
    typed('brev.TY O,I', ['b32', 'b64'])
    typed('bfe.TY O,I,n32,n32', WIDE)
    typed('bfi.TY O,I,I,n32,n32', ['b32', 'b64'])
    form('fns.b32 R32,u32,n32,n32', 'bmsk<.clamp|.wrap>.b32 R32,n32,n32',
         'szext<.clamp|.wrap>.<u32|s32> R32,u32,n32',
         'dp4a<.u32|.s32><.u32|.s32> R32,u32,u32,u32',
         'dp2a<.lo|.hi><.u32|.s32><.u32|.s32> R32,u32,u32,u32',
         'prmt.b32<|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16> R32,u32,u32,u32', 'prmt.b32 R32,u32,u32,n32')
    for table in range(0, 256, 5):
        form(f'lop3.b32 R32,u32,u32,u32,{table:#x}')
    form('lop3<.or|.and>.b32 R32|P,u32,u32,u32,<0x96|0xe8|0x80>,<p|!p>',
         'lop3.or.b32 _|P,u32,u32,u32,0x40,p')
    typed('<and|or|xor>.TY O,I,I', BITS + ['pred'])
    typed('not.TY O,I', BITS + ['pred'])
    typed('cnot.TY O,I', BITS)
    typed('shl.TY O,I,n32', BITS)
    typed('shr.TY O,I,n32', BITS + INT)
    form('shf<.l|.r><.wrap|.clamp>.b32 R32,u32,u32,n32')
    typed('add.TY O,I,<1|-1|7>', INT)
    typed('<div|rem>.TY O,I,<3|7|10|641|-5>', ['s32', 's64', 's16'])
    typed('<div|rem>.TY O,I,<3|7|10|641>', ['u32', 'u64', 'u16'])
    typed('<shl|shr>.TY O,I,<0|1|15|31|32|63|64>', BITS)


def carries():
    for t in WIDE:
        k, o = kind(t), result(kind(t))
        for op, with_carry in (('add', 'addc'), ('sub', 'subc')):
            form(f'{op}.cc.{t} {o},{k},{k}; {with_carry}.{t} {o},{k},{k}',
                 f'{op}.cc.{t} {o},{k},{k}; {with_carry}.cc.{t} {o},{k},{k}; addc.u32 R32,0,0',
                 f'{op}.cc.{t} {o},{k},{k}; subc.u32 R32,0,0')
        for half in ('.lo', '.hi'):
            form(f'mad{half}.cc.{t} {o},{k},{k},{k}; addc.u32 R32,0,0',
                 f'add.cc.{t} {o},{k},{k}; madc{half}.{t} {o},{k},{k},{k}',
                 f'add.cc.{t} {o},{k},{k}; madc{half}.cc.{t} {o},{k},{k},{k}; addc.u32 R32,0,0',
                 f'mad.lo.cc.{t} {o},{k},{k},{k}; madc{half}.cc.{t} {o},{k},{k},{k}; '
                 f'addc.cc.{t} {o},{k},0; subc.{t} {o},{k},{k}')


def videos():
    u, s = '.u32', '.s32'
    for op in ('vadd', 'vsub', 'vabsdiff', 'vmin', 'vmax'):
        form(op + '<.u32|.s32><.u32|.s32><.u32|.s32><|.sat> R32,u32,u32',
             op + '<.u32|.s32><.u32|.s32><.u32|.s32><|.sat> R32,u32.<b0|b3|h1>,u32.<b1|h0>',
             op + '<.u32|.s32><.u32|.s32><.u32|.s32><|.sat><.add|.min|.max> R32,u32,u32,u32',
             op + '<.u32|.s32><.u32|.s32><.u32|.s32><|.sat> R32.<b0|b2|h0|h1>,u32,u32,u32',
             op + '<.u32|.s32>.s32.u32<|.sat> R32.<b3|h1>,u32.b1,u32.h1,u32',
             op + '<.u32|.s32><.u32|.s32>.u32<|.sat><.add|.min|.max> R32,u32.b1,u32.h1,u32')
    form('<vshl|vshr><.u32|.s32><.u32|.s32>.u32<|.sat><.clamp|.wrap> R32,u32,n32',
         '<vshl|vshr><.u32|.s32>.u32.u32<|.sat><.clamp|.wrap><.add|.min|.max> R32,u32,n32,u32',
         '<vshl|vshr><.u32|.s32><.u32|.s32>.u32<|.sat><.clamp|.wrap> R32.<b1|h0|h1>,u32,n32,u32',
         '<vshl|vshr>.s32.s32.u32<|.sat>.clamp R32.<b1|h1>,u32.b3,n32.b0,u32',
         'vmad<.u32|.s32><.u32|.s32><.u32|.s32><|.sat><|.shr7|.shr15> R32,u32,u32,u32',
         'vmad<.u32|.s32><.u32|.s32><.u32|.s32><|.sat><|.shr7|.shr15> R32,u32.b0,u32.h1,u32',
         'vmad<.u32|.s32><.u32|.s32><.u32|.s32>.po<|.sat><|.shr7|.shr15> R32,u32.h0,u32.b2,u32',
         'vmad.s32<.u32|.s32><.u32|.s32><|.sat><|.shr7|.shr15> R32,-u32.b0,u32.h1,u32',
         'vmad.s32<.u32|.s32><.u32|.s32><|.sat><|.shr7|.shr15> R32,u32.b0,u32.h1,-u32',
         'vset<.u32|.s32><.u32|.s32><.eq|.ne|.lt|.le|.gt|.ge> R32,u32,u32',
         'vset<.u32|.s32><.u32|.s32><.eq|.ne|.lt|.le|.gt|.ge> R32,u32.b1,u32.h1',
         'vset<.u32|.s32>.u32<.ne|.lt><.add|.min|.max> R32,u32,u32.b2,u32',
         'vset<.u32|.s32>.s32<.ne|.lt><.add|.min|.max> R32,u32,u32,u32',
         'vset<.u32|.s32><.u32|.s32>.gt R32.<b2|h0|h1>,u32.b1,u32.h0,u32')
    for op in ('vadd', 'vsub', 'vavrg', 'vabsdiff', 'vmin', 'vmax'):
        form(op + '<2|4><.u32|.s32><.u32|.s32><.u32|.s32><|.sat|.add> R32,u32,u32,u32',
             op + '2<.u32|.s32>.s32.s32<|.sat> R32.<h10|h1>,u32.h32,u32.h01,u32',
             op + '4<.u32|.s32>.u32.u32<|.sat> R32.<b3210|b20>,u32.b7654,u32.b0426,u32')
    form('vset<2|4><.u32|.s32><.u32|.s32><.eq|.ne|.lt|.le|.gt|.ge><|.add> R32,u32,u32,u32',
         'vset4.u32.u32.lt R32.b10,u32,u32,u32', 'vset2.s32.u32.ge R32.h0,u32.h20,u32.h31,u32')


def reals():
    form('<add|sub|mul>' + ROUND + '<|.ftz><|.sat>.f32 R32,f32,f32',
         'fma<.rn|.rz|.rm|.rp><|.ftz><|.sat>.f32 R32,f32,f32,f32',
         'mad' + ROUND + '<|.ftz><|.sat>.f32 R32,f32,f32,f32',
         '<add|sub|mul>' + ROUND + '.f64 R64,f64,f64', '<fma|mad><.rn|.rz|.rm|.rp>.f64 R64,f64,f64,f64',
         '<add|sub|mul>' + ROUND + '<|.ftz><|.sat>.f32x2 R64,u64,u64',
         'div<.rn|.rz|.rm|.rp><|.ftz>.f32 R32,f32,f32', 'div<.rn|.rz|.rm|.rp>.f64 R64,f64,f64',
         '<rcp|sqrt><.rn|.rz|.rm|.rp><|.ftz>.f32 R32,f32', '<rcp|sqrt><.rn|.rz|.rm|.rp>.f64 R64,f64',
         '<abs|neg><|.ftz>.f32 R32,f32', '<abs|neg>.f64 R64,f64',
         '<min|max><|.ftz><|.NaN><|.xorsign.abs>.f32 R32,f32,f32', '<min|max>.f64 R64,f64,f64',
         '<min|max><|.ftz><|.NaN><|.abs>.f32 R32,f32,f32,f32',
         'copysign.f32 R32,f32,f32', 'copysign.f64 R64,f64,f64')
    tests = 'testp<.finite|.infinite|.number|.notanumber|.normal|.subnormal>'
    form(tests + '.f32 P,f32', tests + '.f64 P,f64')
    typed('<add|sub|mul><|.rn><|.ftz><|.sat>.TY O,I,I', HALF)
    typed('fma.rn<|.ftz><|.sat|.relu>.TY O,I,I,I', HALF)
    typed('fma.rn.oob<|.relu>.TY O,I,I,I', HALF)
    typed('<abs|neg><|.ftz>.TY O,I', HALF)
    typed('<min|max><|.ftz><|.NaN><|.xorsign.abs>.TY O,I,I', HALF)
    form('<add|sub>' + ROUND + '<|.sat>.f32.<f16|bf16> R32,f16,f32',
         'fma<.rn|.rz|.rm|.rp><|.sat>.f32.<f16|bf16> R32,f16,f16,f32',
         'fma.rn.f32 R32,f32,-f32,f32'.replace('-', ''), 'add.f32 R32,f32,<0f3F800000|0f80000000>',
         'fma.rn.f16 R16,f16,f16,0x3c00', 'sub.f16x2 R32,f16x2,0x3c003c00')


def comparisons():
    order = '<.eq|.ne|.lt|.le|.gt|.ge>'
    real = '<.eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan>'
    typed('setp' + order + '.TY P,I,I', INT)
    typed('setp<.eq|.ne|.lo|.ls|.hi|.hs>.TY P,I,I', ['u16', 'u32', 'u64'])
    typed('setp<.eq|.ne>.TY P,I,I', BITS)
    typed('setp<.lt|.ge><.and|.or|.xor>.TY P|P,I,I,<p|!p>', INT + ['f32', 'f64', 'f16', 'bf16'])
    typed('setp.eq.and.TY P|_,I,I,p', BITS)
    typed('setp.lt.TY P|P,I,I', INT + ['f32', 'f64'])
    typed('setp' + real + '.TY P,I,I', ['f32', 'f64', 'f16', 'bf16'])
    typed('setp' + real + '.ftz.TY P,I,I', ['f32', 'f16'])
    typed('setp' + real + '<|.ftz>.TY P|P,I,I', ['f16x2', 'bf16x2'])
    typed('setp.lt<.and|.or|.xor><|.ftz>.TY P|P,I,I,<p|!p>', ['f16x2', 'bf16x2'])
    for d, o in (('u32', 'R32'), ('s32', 'R32'), ('f32', 'R32')):
        typed('set' + order + '.' + d + '.TY ' + o + ',I,I', INT)
        typed('set<.eq|.ne>.' + d + '.TY ' + o + ',I,I', BITS)
        typed('set' + real + '<|.ftz>.' + d + '.TY ' + o + ',I,I', ['f32', 'f64'])
        typed('set<.ne|.lt><.and|.or|.xor>.' + d + '.TY ' + o + ',I,I,<p|!p>', INT + ['f32', 'f64'])
    for d, o in (('u16', 'R16'), ('s16', 'R16'), ('u32', 'R32'), ('s32', 'R32'), ('f16', 'R16'),
                 ('bf16', 'R16')):
        typed('set' + real + '<|.ftz>.' + d + '.TY ' + o + ',I,I', ['f16', 'bf16'])
        typed('set<.ne|.lt><.and|.or|.xor>.' + d + '.TY ' + o + ',I,I,<p|!p>', ['f16', 'bf16'])
        typed('set.ne.' + d + '.TY ' + o + ',I,I', INT + BITS + ['f32', 'f64'])
    for d in ('f16x2', 'u32', 's32'):
        form('set' + real + '<|.ftz>.' + d + '.f16x2 R32,f16x2,f16x2',
             'set<.lt|.neu><.and|.or|.xor>.' + d + '.f16x2 R32,f16x2,f16x2,<p|!p>')
    for d in ('bf16x2', 'u32', 's32'):
        form('set' + real + '.' + d + '.bf16x2 R32,bf16x2,bf16x2',
             'set<.lt|.neu><.and|.or|.xor>.' + d + '.bf16x2 R32,bf16x2,bf16x2,<p|!p>')
    typed('selp.TY O,I,I,p', INT + BITS + ['f32', 'f64'])
    typed('slct.TY.s32 O,I,I,u32', INT + BITS + ['f32', 'f64'])
    typed('slct<|.ftz>.TY.f32 O,I,I,f32', INT + BITS + ['f32', 'f64'])


INTEGER_TYPES = ['u8', 'u16', 'u32', 'u64', 's8', 's16', 's32', 's64']
REAL_TYPES = ['f16', 'bf16', 'f32', 'f64']


def wide_results(type_):
    """A narrow result may go to a wider register."""
    return {'u8': ['R16', 'R32', 'R64'], 's8': ['R16', 'R32', 'R64']}.get(type_, [result(kind(type_))])


def conversions():
    for a in INTEGER_TYPES:
        for b in INTEGER_TYPES:
            for o in wide_results(a):
                form(f'cvt<|.sat>.{a}.{b} {o},{kind(b)}')
        for f in REAL_TYPES:
            for o in wide_results(a):
                form(f'cvt<.rni|.rzi|.rmi|.rpi><|.ftz><|.sat>.{a}.{f} {o},{f}')
            form(f'cvt<.rn|.rz|.rm|.rp><|.sat>.{f}.{a} {result(f)},{kind(a)}')
    for a in ('u8', 's8', 'u16', 's16'):  # the low part of a wider register; extended into one
        form(f'cvt.<u32|s32|u64|s64|u16|s16>.{a} R64,u32', f'cvt.{a}.<u32|s32> R32,u32',
             f'cvt.{a}.<u64|s64> R32,u64', f'cvt<.rn|.rz>.<f32|f16>.{a} R32,u32'
             .replace('<f32|f16>', 'f32'), f'cvt.rni.{a}.<f32|f64> R64,<f32|f64>')
    for a in REAL_TYPES:
        for b in REAL_TYPES:
            form(f'cvt<|.rn|.rz|.rm|.rp|.rni|.rzi|.rmi|.rpi><|.ftz><|.sat>.{a}.{b} {result(a)},{b}')
    form('cvt<.rn|.rz|.rna><|.relu><|.satfinite><.f16|.bf16>.f32 R16,f32',
         'cvt<.rn|.rz><|.relu><|.satfinite><.f16x2|.bf16x2>.f32 R32,f32,f32',
         'cvt<.rna|.rn|.rz><|.relu><|.satfinite>.tf32.f32 R32,f32',
         'cvt.rn.satfinite<|.relu><.e4m3x2|.e5m2x2>.f32 R16,f32,f32',
         'cvt.rn.satfinite<|.relu><.e4m3x2|.e5m2x2>.f16x2 R16,f16x2',
         'cvt.rn<|.relu>.f16x2<.e4m3x2|.e5m2x2> R32,u16',
         'cvt.rn.satfinite<|.relu><.e2m1x2|.e2m3x2|.e3m2x2>.f32 R16,f32,f32',
         'cvt.rn<|.relu>.f16x2<.e2m3x2|.e3m2x2> R32,u16',
         'cvt.rs<|.relu><|.satfinite><.f16x2|.bf16x2>.f32 R32,f32,f32,u32',
         'cvt<.rz|.rp><|.satfinite>.ue8m0x2.f32 R16,f32,f32', 'cvt.rn.bf16x2.ue8m0x2 R32,u16',
         'cvt.pack.sat<.u16|.s16>.s32 R32,u32,u32',
         'cvt.pack.sat<.u8|.s8|.u4|.s4|.u2|.s2>.s32.b32 R32,u32,u32,u32')


def moves():
    form('@<p|!p> add.u32 R32,u32,u32', '@p mov.b64 {R32,R32},u64', '@!p cvt.rn.f16.f32 R16,f32',
         '@p setp.lt.s32 P|P,u32,u32', '@p selp.b32 R32,u32,u32,!p')
    form('mov.<u16|s16|b16> R16,u16', 'mov.<u32|s32|b32|f32> R32,u32', 'mov.<u64|s64|b64|f64> R64,u64',
         'mov.pred P,p', 'mov.b128 R128,{u64,u64}', 'mov.b128 {R64,R64},u128', 'mov.b128 R128,u128',
         'mov.b128 {_,R64},u128', 'mov.b32 R32,{u16,u16}', 'mov.b64 R64,{u16,u16,u16,u16}',
         'mov.b64 R64,{u32,u32}', 'mov.b32 {R16,R16},u32', 'mov.b32 {_,R16},u32',
         'mov.b64 {R32,R32},u64', 'mov.b64 {R32,_},u64', 'mov.b64 {R16,R16,R16,R16},u64',
         'mov.b64 {_,R16,_,R16},u64', 'mov.b16 %th0,u16; mov.b32 R32,{%th0,u16}',
         'mov.u32 R32,<0b1010|017|-1|~0|!0|5U|(1<<4)-1|WARP_SZ|7>2>', "mov.f32 R32,1.5",
         'mov.b64 R64,<0xffffffffffffffffU|-2>', 'mov.f64 R64,<1.5|-1e-3|0d3ff0000000000000>')


def registers():
    for s in ('tid', 'ntid', 'ctaid', 'nctaid', 'clusterid', 'nclusterid', 'cluster_ctaid',
              'cluster_nctaid'):
        form(f'mov.u32 R32,%{s}.<x|y|z>', f'cvt.u64.u32 R64,%{s}.x', f'mov.u16 R16,%{s}.y',
             f'mov.v4.u32 {{R32,R32,R32,%t0}},%{s}')
    # %warpid, %smid, %gridid are as it happens
    for s in ('laneid', 'nwarpid', 'cluster_ctarank', 'cluster_nctarank', 'lanemask_eq',
              'lanemask_le', 'lanemask_lt', 'lanemask_ge', 'lanemask_gt', 'nsmid', 'total_smem_size',
              'aggr_smem_size', 'dynamic_smem_size', 'reserved_smem_offset_begin',
              'reserved_smem_offset_end', 'reserved_smem_offset_cap', 'reserved_smem_offset_0',
              'reserved_smem_offset_1'):
        form(f'mov.u32 R32,%{s}', f'cvt.u64.u32 R64,%{s}')
    form('mov.pred P,%is_explicit_cluster', 'mov.u32 R32,%tid; add.u32 R32,%tid.y,u32',
         'mul.wide.u16 R32,%tid.x,%ntid.x', 'setp.eq.u32 P,%tid.x,0',
         'add.u32 R32,%laneid,WARP_SZ', 'selp.u32 R32,1,0,%is_explicit_cluster')


TYPES = ['b8', 'u8', 's8', 'b16', 'u16', 's16', 'b32', 'u32', 's32', 'f32', 'b64', 'u64', 's64', 'f64']


def memory():
    spaces = (('.global', '%G'), ('', '%G'), ('.shared', '%S'), ('.shared::cta', '%S'),
              ('.shared::cluster', '%S'), ('', '%X'), ('.local', 'depot'))
    for t in TYPES:
        k, o = kind(t), result(kind(t))
        bits = int(t[1:])
        into = [r for r in ('R16', 'R32', 'R64') if int(r[1:]) >= bits]
        # ptxas stores the f32 nearest to the number in a 64-bit register; the ISA has no such store
        wide = ['u32'] if t == 'f32' else [s for s in ('u16', 'u32', 'u64') if int(s[1:]) >= bits]
        for space, place in spaces:
            fill = f'st{space}.v2.u64 [{place}],{{u64,u64}}; '
            for r in into:
                form(fill + f'ld{space}.{t} {r},[{place}]', fill + f'ld{space}.{t} {r},[{place}+8]')
            for source in wide:
                form(fill + f'st{space}.{t} [{place}+8],{source}; ld{space}.u64 R64,[{place}+8]')
            form(fill + f'ld{space}.v2.{t} {{{o},{o}}},[{place}]')
            if bits < 64:
                form(fill + f'ld{space}.v4.{t} {{{o},{o},{o},{o}}},[{place}]',
                     fill + f'ld{space}.v4.{t} {{{o},_,_,{o}}},[{place}]',
                     fill + f'st{space}.v4.{t} [{place}],{{{k},{k},{k},{k}}}; '
                            f'ld{space}.v2.u64 {{R64,R64}},[{place}]')
            form(fill + f'st{space}.v2.{t} [{place}],{{{k},{k}}}; ld{space}.v2.u64 {{R64,R64}},[{place}]')
        for r in into:
            form(f'ld.const.{t} {r},[%C]', f'ld.param.{t} {r},[blob+<0|8|24>]')
        form(f'ld.const.v2.{t} {{{o},{o}}},[table+32]', f'ld.param.v2.{t} {{{o},{o}}},[blob+16]')
        fill = 'st.global.v2.u64 [%G],{u64,u64}; '
        load = '; ld.global.u64 R64,[%G]'
        form(f'ldu.global.{t} {o},[variable]', fill + f'ld.volatile.global.{t} {o},[%G]', fill + f'ld.weak.global.{t} {o},[%G]',
             fill + f'ld<.relaxed|.acquire><.cta|.gpu|.sys>.global.{t} {o},[%G]',
             fill + f'ld.mmio.relaxed.sys.global.{t} {o},[%G]',
             fill + f'ld.global<.ca|.cg|.cs|.lu|.cv>.{t} {o},[%G]',
             f'ld.global<|.ca|.cg|.cs>.nc.{t} {o},[%C]'.replace('%C', 'variable'),
             fill + f'st.volatile.global.{t} [%G],{k}' + load,
             fill + f'st<.relaxed|.release><.cta|.gpu|.sys>.global.{t} [%G],{k}' + load,
             fill + f'st.mmio.relaxed.sys.global.{t} [%G],{k}' + load,
             fill + f'st.global<.wb|.cg|.cs|.wt>.{t} [%G],{k}' + load)
    form('st.global.b128 [%G],u128; ld.global.b128 R128,[%G]',
         'st.shared.b128 [%S],u128; ld.shared.b128 R128,[%S]', 'st.b128 [%X],u128; ld.b128 R128,[%X]',
         'st.local.b128 [depot],u128; ld.local.b128 R128,[depot]', 'ld.param.b128 R128,[blob+16]',
         'ld.const.b128 R128,[table+16]',
         'st<.relaxed|.release><.cta|.gpu|.sys>.global.b128 [%G],u128; '
         'ld<.relaxed|.acquire>.gpu.global.b128 R128,[%G]')
    form('st.global.v4.u32 [%G],{u32,u32,u32,u32}; '
         'ld.global<.L1::evict_last|.L1::no_allocate|><.L2::128B|.L2::256B>.u32 R32,[%G+4]',
         'st.global.L1::evict_first.v2.u64 [%G],{u64,u64}; ld.global.L1::evict_unchanged.v2.b64 '
         '{R64,R64},[%G]')
    form('isspacep<.global|.shared|.shared::cta|.shared::cluster|.local|.const|.param> P,%<G|X>',
         'st.shared.u32 [%S],u32; cvta.to.shared.u64 %td0,%X; cvt.u32.u64 %t0,%td0; '
         'ld.shared.u32 R32,[%t0]',
         'st.local.u32 [depot+4],u32; mov.u64 %td0,depot; cvta.local.u64 %td1,%td0; '
         'ld.u32 R32,[%td1+4]; isspacep.local P,%td1',
         'cvta.global.u64 %td0,%G; st.u32 [%td0],u32; cvta.to.global.u64 %td1,%td0; '
         'ld.global.u32 R32,[%td1]',
         'cvta.const.u64 %td0,%C; ld.u32 R32,[%td0]; isspacep.const P,%td0; isspacep.global P,%td0')


def warps():
    form('shfl.sync<.up|.down|.bfly|.idx>.b32 R32|P,u32,n32,n32,-1',
         'shfl.sync<.up|.down|.bfly|.idx>.b32 R32|P,u32,n32,u32,0xffffffff',
         'shfl.sync<.up|.down|.bfly|.idx>.b32 R32|P,u32,<0|1|5|16|31|32>,<0|0x1f|0x181f|0x1c03|0x1000>,-1',
         'shfl.sync<.up|.down|.bfly|.idx>.b32 R32,u32,n32,0x1f,-1',
         'vote.sync<.all|.any|.uni>.pred P,<p|!p>,-1', 'vote.sync.ballot.b32 R32,<p|!p>,-1',
         'setp.lt.u32 %tp0,u32,<1|0xfffffff0|0x80000000>; vote.sync<.all|.any|.uni>.pred P,%tp0,-1',
         'match.sync.any.b32 R32,<u32|n32>,-1', 'match.sync.any.b64 R32,u64,-1',
         'match.sync.all.b32 R32|P,<u32|n32>,-1', 'match.sync.all.b64 R32|P,u64,-1',
         'and.b32 %t0,u32,<1|3>; match.sync.any.b32 R32,%t0,-1; match.sync.all.b32 R32|P,%t0,-1',
         'and.b32 %t0,u32,0x80000000; match.sync.all.b32 R32|P,%t0,-1',
         'redux.sync<.add|.min|.max><.u32|.s32> R32,u32,-1', 'redux.sync<.and|.or|.xor>.b32 R32,u32,-1',
         'redux.sync<.min|.max><|.abs><|.NaN>.f32 R32,f32,-1', 'activemask.b32 R32',
         'mov.b32 %t0,0; elect.sync %t0|P,-1', 'elect.sync R32|P,-1', 'elect.sync _|P,-1')
    form('bar.red.popc.u32 R32,0,<p|!p>', 'bar.red<.and|.or>.pred P,0,<p|!p>',
         'barrier.cta.red.popc.aligned.u32 R32,3,64,<p|!p>'.replace('64', '128'),
         'setp.lt.u32 %tp0,u32,<2|0xfffffffe>; bar.red<.and|.or>.pred P,1,%tp0',
         'getctarank.shared::cluster.u32 R32,%S', 'getctarank.u64 R32,%X',
         'st.shared.u32 [%S],u32; mapa.shared::cluster.u32 %t0,%S,0; ld.shared::cluster.u32 R32,[%t0]',
         'st.shared.u32 [%S],u32; mapa.u64 %td0,%X,0; ld.u32 R32,[%td0]')
    # half of the warp; no lane reads another half's, which the ISA leaves open
    some = 'mov.u32 %t0,%laneid; setp.lt.u32 %tp0,%t0,16; '
    guarded = ['shfl.sync<.up|.down|.bfly|.idx>.b32 R32|P,u32,<0|1|4|8|17>,<0x101f|0x1c1f|0x1003>,0xffff',
               'vote.sync<.all|.any|.uni>.pred P,p,0xffff', 'vote.sync.ballot.b32 R32,p,0xffff',
               'match.sync.any.b32 R32,n32,0xffff', 'match.sync.all.b32 R32|P,n32,0xffff',
               'redux.sync<.add|.min|.max><.u32|.s32> R32,u32,0xffff',
               'redux.sync<.and|.or|.xor>.b32 R32,u32,0xffff', 'activemask.b32 R32',
               'elect.sync R32|P,0xffff']
    form(*[some + '@%tp0 ' + g for g in guarded])


ATOMIC_TYPES = {'add': ['u32', 's32', 'u64', 'f32', 'f64', 'f16', 'bf16', 'f16x2', 'bf16x2'],
                'and': ['b32', 'b64'], 'or': ['b32', 'b64'], 'xor': ['b32', 'b64'],
                'inc': ['u32'], 'dec': ['u32'], 'exch': ['b16', 'b32', 'b64'],
                'min': ['u32', 's32', 'u64', 's64', 'f16', 'bf16', 'f16x2', 'bf16x2', 'f32'],
                'max': ['u32', 's32', 'u64', 's64', 'f16', 'bf16', 'f16x2', 'bf16x2', 'f32']}


def atomics():
    places = (('.global', '%G', 'global'), ('.shared', '%S', 'shared'), ('', '%X', 'shared'),
              ('', '%G', 'global'), ('.shared::cluster', '%S', 'shared'))
    for space, place, plain in places:
        address = place if place != '%X' else '%S'
        for op, types in ATOMIC_TYPES.items():
            for t in types:
                k, o = kind(t), result(kind(t))
                b = 'b' + o[1:]
                z = '.noftz' if t in HALF else ''
                fill = f'st.{plain}.{b} [{address}],{k}; '
                end = f'; ld.{plain}.{b} {o},[{address}]'
                form(fill + f'atom{space}.{op}{z}.{t} {o},[{place}],{k}' + end,
                     fill + f'atom{space}.{op}{z}.{t} _,[{place}],{k}' + end)
                if op != 'exch':
                    form(fill + f'red{space}.{op}{z}.{t} [{place}],{k}' + end)
                if space == '.global':
                    form(fill + f'atom<.relaxed|.acquire|.release|.acq_rel><|.cta|.gpu|.sys>.global.{op}{z}.{t} {o},[{place}],{k}' + end)
        for t in ('b16', 'b32', 'b64'):
            k, o = kind(t), result(kind(t))
            same = {'b16': '%th0', 'b32': '%t0', 'b64': '%td0'}[t]
            fill = f'st.{plain}.{t} [{address}],{k}; '
            end = f'; ld.{plain}.{t} {o},[{address}]'
            form(fill + f'atom{space}.cas.{t} {o},[{place}],{k},{k}' + end,
                 fill + f'ld.{plain}.{t} {same},[{address}]; atom{space}.cas.{t} {o},[{place}],{same},{k}' + end)
        fill = f'st.{plain}.b128 [{address}],u128; '
        form(fill + f'atom{space}.exch.b128 R128,[{place}],u128; ld.{plain}.b128 R128,[{address}]',
             fill + f'atom{space}.cas.b128 R128,[{place}],u128,u128; ld.{plain}.b128 R128,[{address}]')
    fill = 'st.global.v4.u32 [%G],{u32,u32,u32,u32}; '
    end = '; ld.global.v2.u64 {R64,R64},[%G]'
    fours = lambda k, n: '{' + ','.join([k] * n) + '}'
    for t, n in (('f32', 2), ('f32', 4), ('f16', 2), ('f16', 4), ('f16', 8), ('bf16', 2), ('bf16', 4),
                 ('bf16', 8), ('f16x2', 2), ('f16x2', 4), ('bf16x2', 2), ('bf16x2', 4)):
        k = kind(t)
        b = {'f32': 'f32', 'f16': 'u16', 'bf16': 'u16'}.get(t, 'u32')
        noftz = '' if t == 'f32' else '.noftz'
        for op in ('add', 'min', 'max'):
            operands = fours(k, n)
            # eight sources at most: what is added to are zeros of the first launch and thirds of it
            start = ('st.global.v2.u64 [%G],{0x3c003c0100007c00,0xbc01fc013c013c00}; ' if n == 8 else
                     f'st.global.v2.u64 [%G],{{u64,u64}}; ' if n < 8 else '')
            form(start + f'red.global.{op}{noftz}.v{n}.{t} [%G],{operands}' + end)
            if n <= 4:
                form(start + f'atom.global.{op}{noftz}.v{n}.{t} {fours(result(k), n)},[%G],{operands}' + end)
    for op, t in (('add', 'u32'), ('max', 's64'), ('add', 'f32'), ('xor', 'b64')):
        k, o = kind(t), result(kind(t))
        b = 'b' + o[1:]
        fill, end = f'st.global.{b} [%G],{k}; ', f'; ld.global.{b} {o},[%G]'
        form(fill + f'red<.relaxed|.release><.cta|.gpu|.sys>.global.{op}.{t} [%G],{k}' + end,
             fill + 'createpolicy.fractional.L2::evict_last.b64 %td0,0.5; '
                    f'atom.global.{op}.L2::cache_hint.{t} {o},[%G],{k},%td0' + end)
    # all lanes of a warp at once, where no order shows
    same = 'mov.u32 %t0,%laneid; setp.eq.u32 %tp0,%t0,0; '
    for op, t in (('add', 'u32'), ('min', 's32'), ('max', 'u32'), ('and', 'b32'), ('or', 'b32'),
                  ('xor', 'b32'), ('inc', 'u32'), ('dec', 'u32'), ('add', 'u64'), ('max', 's64'),
                  ('min', 'f16x2'), ('max', 'bf16x2')):
        k, o = kind(t), result(kind(t))
        b = 'b' + o[1:]
        operand = '9' if op in ('inc', 'dec') else k
        z = '.noftz' if t in HALF else ''
        form(same + f'@%tp0 st.shared.{b} [%W],{k}; bar.warp.sync -1; red.shared.{op}{z}.{t} [%W],{operand}; '
                    f'bar.warp.sync -1; ld.shared.{b} {o},[%W]')


for group in (integers, carries, videos, reals, comparisons, conversions, moves, registers, memory,
              warps, atomics):
    group()
print('\n'.join(seen))
