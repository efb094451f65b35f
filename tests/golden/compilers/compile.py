#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the kernels of cases.py by Triton, for every card that a case names, with no card or one of any kind.

    compile.py FOLDER

FOLDER gets NAME_smNN.ptx, and launches.txt: a line for each with what `lanescope run` wants behind the file. Needs Triton 3.6 and PyTorch.
"""
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor

FOLDER = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
SWIZZLES = ('none', '32B', '64B', '128B')


def start():
    """In each process: Triton compiles for the card that `target` names."""
    global target
    import triton
    from triton.backends.compiler import GPUTarget
    target = 90
    triton.runtime.driver.active.get_current_target = lambda: GPUTarget('cuda', target, 32)


def torch_type(name):
    import torch
    return {'f16': torch.float16, 'bf16': torch.bfloat16, 'f32': torch.float32, 'f64': torch.float64, 'e4m3': torch.float8_e4m3fn, 'e5m2': torch.float8_e5m2,
            's8': torch.int8, 'u8': torch.uint8, 's32': torch.int32, 's64': torch.int64}[name]


def tensor(parameter):
    """A Gluon kernel's: behind a tensor map."""
    import torch
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
    _, name, rows, cols, box = parameter
    layout = gl.NVMMASharedLayout.get_default_for(box, {'f16': gl.float16, 'f32': gl.float32, 'bf16': gl.bfloat16, 'e4m3': gl.float8e4nv}[name])
    return TensorDescriptor(torch.zeros((rows, cols), dtype=torch_type(name), device='cuda'), [rows, cols], [cols, 1], box, layout)


def words(parameters, meta):
    """What the launcher is to give the kernel, but for the scratch memory that Triton's kernels end with: b8, which nobody compares."""
    maps = iter(getattr(meta, 'tensordesc_meta', None) or [])
    for way, name, *size in parameters:
        contents = '=random' if way == 'in' else ''
        if len(size) == 1:
            yield '%s:%d%s' % (name, size[0], contents)
            continue
        rows, cols, _ = size
        of_map = next(maps)
        yield 'map:%s:%dx%d:%dx%d:%s%s' % (name, rows, cols, *of_map['block_size'], SWIZZLES[of_map['swizzle']], contents)
        yield from ('s32=%d' % rows, 's32=%d' % cols, 's64=%d' % cols, 's64=1')


def compile_one(job):
    global target
    number, target = job
    import triton
    sys.path.insert(0, HERE)
    from cases import CASES
    name, kernel, parameters, constants, grid, _, options = CASES[number]
    label = '%s_sm%d' % (name, target)
    try:
        kernel.device_caches.clear()
        arguments = [torch_type(q[1]) if len(q) == 3 else tensor(q) for q in parameters]
        made = kernel.warmup(*arguments, grid=(1,), **constants, **options)
    except Exception as error:
        return label, None, str(error)[-200:].replace('\n', ' ')
    # Where the files lay is nobody's business.
    installed = os.path.dirname(os.path.dirname(triton.__file__))
    ptx, meta = made.asm['ptx'].replace(HERE + '/', '').replace(installed + '/', ''), made.metadata
    given = list(words(parameters, meta))
    wanted = len(re.findall(r'\.param', re.search(r'\.entry \w+\((.*?)\)', ptx, re.S)[1]))
    x, y, z = list(grid) + [1] * (3 - len(grid))
    ctas = meta.num_ctas
    scratch = getattr(meta, 'global_scratch_size', 0) * x * ctas * y * z
    given += ['b8:%d' % max(16, scratch)] * (wanted - len(given))
    with open('%s/%s.ptx' % (FOLDER, label), 'w') as file:
        file.write(ptx)
    cluster = ' --cluster %d' % ctas if ctas > 1 else ''
    return label, '--grid %d,%d,%d%s --shared %d %s' % (x * ctas, y, z, cluster, meta.shared, ' '.join(given)), ''


if __name__ == '__main__':
    os.makedirs(FOLDER, exist_ok=True)
    sys.path.insert(0, HERE)
    from cases import CASES
    jobs = [(number, sm) for number, case in enumerate(CASES) for sm in case[5]]
    with ProcessPoolExecutor(os.cpu_count(), initializer=start) as pool:
        done = list(pool.map(compile_one, jobs))
    with open(FOLDER + '/launches.txt', 'w') as file:
        for label, launch, why in sorted(done):
            if launch:
                print(label, launch, file=file)
            else:
                print('not compiled:', label, why)
    print('compiled %d of %d' % (sum(launch is not None for _, launch, _ in done), len(done)))
